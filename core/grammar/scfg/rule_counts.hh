// How often the places of one pattern gave each target side, by the four source sides that it has
// with and without gaps around it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/scfg/scfg_rules.hh"

namespace tunesmith::grammar {

struct RuleCount {
  std::uint8_t side = 0;  // lead + 2 * trail
  std::uint32_t count = 0;
  std::uint32_t target_begin = 0, target_end = 0;
  std::uint64_t hash = 0;
  std::int32_t links = -1;  // the first of its chain
};

class RuleCounts {
 public:
  explicit RuleCounts(int corpora = 1)
      : corpora_(corpora > 1 ? corpora : 0), slots_(1 << 10, kEmpty) {}

  void clear();
  // Which of several corpora the places that follow are in.
  void from(int origin) { origin_ = origin; }
  // A place that has a source side.
  void note(bool lead, bool trail) { ++places_[side_of(lead, trail)]; }
  void add(bool lead, bool trail, std::span<const Symbol> target,
           std::span<const std::uint16_t> links);

  std::span<const RuleCount> rules() const { return rules_; }
  // How often each of several corpora has the rule of a number; nothing of one.
  std::span<const std::uint32_t> origins(std::size_t rule) const {
    return std::span(origins_).subspan(rule * corpora_, corpora_);
  }
  std::uint32_t places(int side) const { return places_[side]; }
  std::span<const Symbol> target(const RuleCount& rule) const {
    return std::span(symbols_).subspan(rule.target_begin, rule.target_end - rule.target_begin);
  }
  // The most frequent links, of equals those that were seen first.
  std::span<const std::uint16_t> links(const RuleCount& rule) const;

 private:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  struct LinkCount {
    std::uint32_t begin = 0, end = 0, count = 0;
    std::int32_t next = -1;
  };
  static int side_of(bool lead, bool trail) { return (lead ? 1 : 0) + (trail ? 2 : 0); }
  RuleCount& find(int side, std::span<const Symbol> target);
  void grow();

  std::size_t corpora_;
  int origin_ = 0;
  std::array<std::uint32_t, 4> places_{};
  std::vector<RuleCount> rules_;
  std::vector<std::uint32_t> origins_;
  std::vector<Symbol> symbols_;
  std::vector<LinkCount> link_counts_;
  std::vector<std::uint16_t> links_;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full
};

}  // namespace tunesmith::grammar
