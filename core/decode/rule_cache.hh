// Rules made ready for search under fixed weights: scored, looked at by the language models,
// sorted, cut to the table limit. A source phrase is prepared once and used by every sentence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/arena.hh"
#include "decode/forbidden_phrases.hh"
#include "decode/phrase_model.hh"
#include "decode/phrase_rule.hh"
#include "decode/search_options.hh"

namespace tunesmith::decode {

// One language model's view of a target phrase. The scores of its first `open` words depend on
// what stands before them; those of the others are summed in `closed` (natural log). When
// `closes` is set the state after the phrase is `right`, whatever stood before it.
struct PhraseLm {
  const lm::WordId* words = nullptr;
  int open = 0;
  bool closes = false;
  float closed = 0.0F;
  lm::State right;
};

struct PreparedRule : PhraseRule {
  // w · h of all that context cannot change, closed words of the language models included.
  float score = 0.0F;
  // score + an estimate of the open words: orders rules and feeds the future cost.
  float estimate = 0.0F;
  // The value of its lexical features; `score` and `estimate` have it.
  float lexical = 0.0F;
  // The rule's id to lexical features that look at the rule before; 0 where there are none.
  std::uint64_t id = 0;
  // Of a literal, its target words as lexical features see them, where they look back at them.
  const std::uint64_t* literal_atoms = nullptr;
  const PhraseLm* lms = nullptr;  // one for each language model
  // Words of no table; null for a rule.
  const std::vector<std::string>* literal = nullptr;
};

// The key of a source phrase with words that a table does not have: no phrase has it.
constexpr std::uint64_t kNoPhrase = 0;

class RuleCache {
 public:
  RuleCache(const PhraseModel& model, std::span<const double> weights, int table_limit);

  const PhraseModel& model() const { return model_; }
  std::span<const double> weights() const { return weights_; }

  // The prepared rules of a source phrase of a group of tables, best estimate first; `keys` are the
  // phrase's in each of the tables, kNoPhrase where a table does not know its words. Valid until
  // trim().
  const std::vector<PreparedRule>& rules(int group, std::span<const std::uint64_t> keys);
  // The same of those rules alone whose words are allowed, for one sentence, in whose arena they
  // are.
  std::vector<PreparedRule> allowed_rules(int group, std::span<const std::uint64_t> keys,
                                          const ForbiddenPhrases& forbidden, Arena& arena);
  // A rule of joined tables as if only those with a rule in `pair`, one at least, had the phrase
  // pair.
  PreparedRule reduced(const PreparedRule& rule, std::span<const std::uint32_t> pair,
                       Arena& arena) const;
  // Words that come from no table: copied or prescribed by the caller, who keeps `words`, for so
  // many source words.
  PreparedRule literal(const std::vector<std::string>& words, int source_size, int unknown,
                       Arena& arena) const;
  // Between sentences: forgets everything when it has grown too large.
  void trim();

 private:
  std::vector<PreparedRule> prepared(int group, std::span<const std::uint64_t> keys,
                                     const ForbiddenPhrases* forbidden, Arena& arena);
  void add_rules(int table, std::uint64_t source, Arena& arena, std::vector<PreparedRule>& rules);
  void look_at(PreparedRule& rule, Arena& arena) const;
  void add_lexical(std::vector<PreparedRule>& rules);

  const PhraseModel& model_;
  std::span<const double> weights_;
  int table_limit_;
  std::size_t prepared_ = 0;
  std::vector<std::uint64_t> keys_;  // scratch
  Arena arena_;
  const std::vector<PreparedRule> none_;
  std::vector<std::unordered_map<std::uint64_t, std::vector<PreparedRule>>> groups_;
};

// The words of a rule.
void append_words(const PhraseModel& model, const PreparedRule& rule,
                  std::vector<std::string_view>& out);

// Whether none of them is forbidden.
bool has_allowed_words(const PhraseModel& model, const PreparedRule& rule,
                       const ForbiddenPhrases& forbidden);

}  // namespace tunesmith::decode
