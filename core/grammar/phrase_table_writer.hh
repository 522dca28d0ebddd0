// Writes a phrase table source phrase by source phrase; what is written waits on disk, not in
// memory.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/spilled_array.hh"
#include "base/string_index.hh"

namespace tunesmith::grammar {

struct RuleData {
  std::span<const std::uint32_t> target;
  std::span<const float> scores;  // natural logarithms
  std::span<const std::uint16_t> links;
  float counts[3] = {0, 0, 0};        // target, source, joint
  std::span<const float> reordering;  // natural logarithms
};

class PhraseTableWriter {
 public:
  PhraseTableWriter(std::string path, int scores_per_rule, int reordering_per_rule);

  // Source phrases come in ascending order of their keys; rules follow their source phrase.
  void add_source(std::uint64_t key, std::span<const std::uint32_t> words);
  void add_rule(const RuleData& rule);
  void finish(const StringIndex& source_vocabulary, const StringIndex& target_vocabulary,
              std::string_view meta);

  std::uint64_t sources() const { return sources_; }
  std::uint64_t rules() const { return rules_; }

 private:
  void close_source();

  std::string path_;
  std::uint32_t score_count_, reordering_count_;
  std::uint64_t sources_ = 0, rules_ = 0, last_key_ = 0;
  std::uint64_t source_end_ = 0, target_end_ = 0, link_end_ = 0;
  SpilledArray keys_, rule_ends_, source_ends_, source_words_, target_ends_, target_words_,
      link_ends_, links_, scores_, counts_, reordering_;
};

}  // namespace tunesmith::grammar
