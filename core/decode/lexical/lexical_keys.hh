// The lexical features of a derivation of a sentence, phrase by phrase: what a learner changes, and
// what the values of search are checked against.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode/phrase_model.hh"
#include "decode/rule_cache.hh"

namespace tunesmith::decode {

class LexicalKeys {
 public:
  // The model must have lexical features; `after` as in SourceSentence.
  LexicalKeys(const PhraseModel& model, const std::vector<std::string>& source,
              const std::string* after);

  // The words of a rule that translates the source words [begin, end).
  features::RuleWords words_of(int table, std::uint32_t rule, int begin, int end) const;
  // Appends the keys of a rule in its place, whatever comes before it.
  void local(int table, std::uint32_t rule, int begin, int end,
             std::vector<std::uint64_t>& keys) const;

  // The same for a whole derivation, from its first phrase on.
  void start();
  // `target` are the words that the phrase makes; kNoRule: of no table.
  void follow(int table, std::uint32_t rule, int begin, int end,
              const std::vector<std::string_view>& target, std::vector<std::uint64_t>& keys);
  // The same without what `local` appends: features that see the rule before.
  void follow_history(int table, std::uint32_t rule, int begin, int end,
                      const std::vector<std::string_view>& target,
                      std::vector<std::uint64_t>& keys);

 private:
  const PhraseModel& model_;
  const LexicalTables& lexical_;
  SentenceAtoms atoms_;
  std::vector<std::vector<std::uint32_t>> ids_;  // [table] source words
  std::uint64_t last_rule_ = 0;
  std::vector<std::uint64_t> history_;  // the last two target words, as far as there are any
  int history_words_ = 0;
};

}  // namespace tunesmith::decode
