// Rules that a sentence pair must not use while a model learns from it: those that it taught the
// phrase table all by itself (Yu et al. 2013, §4.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/phrase_model.hh"
#include "decode/training_text.hh"

namespace tunesmith::decode {

enum class LeaveOut {
  kNothing,
  kOwn,        // pairs seen once, in this sentence pair
  kSingletons  // all pairs seen once
};

// Whether the corpus had the pair only once. Tables that do not know their counts say 0.
inline bool is_singleton(const grammar::PhraseTable& table, std::uint64_t rule) {
  return table.counts(rule)[2] == 1.0F;
}

class RuleFilter {
 public:
  RuleFilter() = default;
  // With kOwn a rule that its table has seen once is left out when it can be extracted here with
  // the links of that table; without links, when its words stand in both sentences, which leaves
  // out a few more.
  RuleFilter(LeaveOut mode, const PhraseModel& model, const TrainingPair& pair);

  // Of a table that was counted again, also what is left out of the first: without that it would
  // not be there.
  bool leaves_out(int table, std::uint64_t source_key, std::uint64_t rule) const;
  // Whether the same words are a rule of another table, and left out there.
  bool leaves_out_twin(int table, std::uint64_t rule, int other) const;
  // With kOwn: whether the pair can be extracted here, however often it was elsewhere.
  bool is_own(int table, std::uint64_t source_key, std::uint64_t rule) const;

 private:
  LeaveOut mode_ = LeaveOut::kNothing;
  const PhraseModel* model_ = nullptr;
  struct Table {
    bool has_links = false;
    std::vector<std::uint64_t> pairs;   // keys of the pairs that are extracted here, sorted; or
    std::vector<std::uint32_t> target;  // the target's words
  };
  std::vector<Table> tables_;
};

}  // namespace tunesmith::decode
