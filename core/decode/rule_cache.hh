// Rules made ready for search under fixed weights: scored, looked at by the language models,
// sorted, cut to the table limit. A source phrase is prepared once and used by every sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/phrase_model.hh"
#include "decode/search_options.hh"

namespace tunesmith {

constexpr std::uint32_t kNoRule = 0xFFFFFFFF;

// One language model's view of a target phrase. The scores of its first `open` words depend on
// what stands before them; those of the others are summed in `closed` (natural log). When
// `closes` is set the state after the phrase is `right`, whatever stood before it.
struct PhraseLm {
  std::vector<lm::WordId> words;
  int open = 0;
  bool closes = false;
  float closed = 0.0F;
  lm::State right;
};

struct PreparedRule {
  int table = 0;
  std::uint32_t rule = kNoRule;  // kNoRule: the words are `literal`
  int target_size = 0;
  int unknown = 0;  // how many words are copies of unknown source words
  // w · h of all that context cannot change, closed words of the language models included.
  float score = 0.0F;
  // score + an estimate of the open words: orders rules and feeds the future cost.
  float estimate = 0.0F;
  // The table's reordering scores (feature values), or null.
  const float* reordering = nullptr;
  std::vector<PhraseLm> lms;
  std::vector<std::string> literal;
};

class RuleCache {
 public:
  RuleCache(const PhraseModel& model, const std::vector<double>& weights, int table_limit);

  const PhraseModel& model() const { return model_; }
  const std::vector<double>& weights() const { return weights_; }

  // The prepared rules of a source phrase of a table, best estimate first. Valid until trim().
  const std::vector<PreparedRule>& rules(int table, std::uint64_t key);
  // Words that come from no table: copied or prescribed by the caller.
  PreparedRule literal(std::vector<std::string> words, int unknown) const;
  // Between sentences: forgets everything when it has grown too large.
  void trim();

 private:
  void look_at(PreparedRule& rule) const;

  const PhraseModel& model_;
  const std::vector<double>& weights_;
  int table_limit_;
  std::size_t prepared_ = 0;
  std::vector<std::unordered_map<std::uint64_t, std::vector<PreparedRule>>> tables_;
};

// The words of a rule.
void append_words(const PhraseModel& model, const PreparedRule& rule,
                  std::vector<std::string_view>& out);
// A running hash of the words of a translation.
std::uint64_t extend_text_hash(const PhraseModel& model, std::uint64_t hash,
                               const PreparedRule& rule);
// Adds the rule's feature values that context cannot change.
void add_rule_features(const PhraseModel& model, const PreparedRule& rule, double* features);

}  // namespace tunesmith
