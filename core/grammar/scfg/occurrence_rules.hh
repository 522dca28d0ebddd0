// The rules that a pattern has at one place of the corpus (Chiang 2007, Section 3.2).
//
// 1. Each gap inside the pattern must be a phrase: its words are linked, to none but a span of
//    target words that is linked to no other source word.
// 2. A source side may have a gap before the pattern and one behind it. They are the shortest for
//    which they and the whole are phrases; with tight phrases all longer ones give the same rule.
// 3. The target side is the span of the whole with the spans of the gaps cut out.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "grammar/scfg/hiero_index.hh"
#include "grammar/scfg/rule_counts.hh"
#include "grammar/scfg/source_patterns.hh"

namespace tunesmith::grammar {

// The numbers of words between the gaps of a pattern.
struct PatternShape {
  std::array<std::uint8_t, kMaxNonterminals + 1> parts{};
  int gaps = 0;

  explicit PatternShape(std::span<const Symbol> symbols);
  bool single() const { return gaps == 0 && parts[0] == 1; }
};

// Scratch memory of extraction; one per thread.
class OccurrenceRules {
 public:
  explicit OccurrenceRules(const HieroIndex& index) : index_(index), options_(index.options()) {}

  // Adds the rules of the wanted source sides, each at most once for each target side. An unlinked
  // word alone has an empty target side.
  void extract(const PatternShape& shape, const Occurrence& place, Sides wanted, RuleCounts& out);

 private:
  // A source span seen from the target: the span of words it is linked to, and what that is linked
  // back to. It only grows.
  struct Projection {
    int low = 0, high = -1, back_low = 1 << 30, back_high = -1;
    bool linked() const { return high >= low; }
  };
  struct Gap {
    int begin = 0, end = 0, low = 0, high = 0;
  };

  // Whether the words and the edges of the gaps of the pattern are linked as they must be.
  bool open(const PatternShape& shape, const Occurrence& place);
  bool linked(int source) const { return !source_links_[source].empty(); }
  void include(int source, Projection& projection) const;
  bool inner_gaps();
  void leading_gaps();
  void trailing_gaps();
  void one_side(bool lead, bool trail, RuleCounts& out);
  void write(bool lead, bool trail, std::span<const Gap> gaps, int low, int high, RuleCounts& out);
  [[noreturn]] void refuse() const { index_.source().begins.refuse(); }

  const HieroIndex& index_;
  const HieroOptions& options_;
  // Of the sentence: where it begins in the text, its words, and links back.
  std::uint32_t begin_ = 0;
  int source_size_ = 0, target_size_ = 0;
  std::span<const std::uint32_t> target_;
  std::span<const LinkRange> source_links_, target_links_;
  // Of the place: its words' positions by part, from the first to behind the last.
  std::array<Gap, kMaxNonterminals + 1> parts_{};
  int part_count_ = 0, first_ = 0, end_ = 0;
  Projection core_;
  std::vector<Gap> inner_, leads_, trails_;
  std::vector<Symbol> symbols_;
  std::vector<std::uint16_t> rule_links_;
  std::vector<std::uint8_t> symbol_of_;  // of target words, from the rule's first one
};

}  // namespace tunesmith::grammar
