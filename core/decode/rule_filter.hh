// Rules that a sentence pair must not use while a model learns from it: those that it taught the
// phrase table all by itself (Yu et al. 2013, §4.2).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/phrase_model.hh"

namespace tunesmith {

enum class LeaveOut {
  kNothing,
  kOwn,        // pairs seen once, in this sentence pair
  kSingletons  // all pairs seen once
};

// Whether the corpus had the pair only once. Tables that do not know their counts say 0.
inline bool is_singleton(const PhraseTable& table, std::uint64_t rule) {
  return table.counts(rule)[2] == 1.0F;
}

class RuleFilter {
 public:
  RuleFilter() = default;
  // `links` are (source, target) positions inside the sentences. With kOwn and links a pair seen
  // once is left out when it can be extracted here; without links, when its words stand in both
  // sentences, which leaves out a few more.
  RuleFilter(LeaveOut mode, const PhraseModel& model, const std::vector<std::string>& source,
             const std::vector<std::string>& target,
             std::span<const std::pair<std::uint32_t, std::uint32_t>> links, bool has_links);

  bool leaves_out(int table, std::uint64_t source_key, std::uint64_t rule) const;
  // With kOwn: whether the pair can be extracted here, however often it was elsewhere.
  bool is_own(int table, std::uint64_t source_key, std::uint64_t rule) const;

 private:
  LeaveOut mode_ = LeaveOut::kNothing;
  const PhraseModel* model_ = nullptr;
  bool has_links_ = false;
  // By table: keys of the pairs that are extracted here, sorted; or the target's words.
  std::vector<std::vector<std::uint64_t>> pairs_;
  std::vector<std::vector<std::uint32_t>> targets_;
};

}  // namespace tunesmith
