// Hierarchical rules of any input, looked up in a corpus (Chiang 2007; Lopez 2007).
//
// 1. The patterns of the input (source_patterns.hh).
// 2. Where each stands in the corpus (pattern_search.hh), thinned to `samples` places.
// 3. The rules at each place that is not left out (occurrence_rules.hh), counted.
// 4. Their features (rule_scores.hh).
// What comes out depends on the corpus, the options, the pattern and what is left out, on nothing
// else: a rule has the same features in every input.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "grammar/scfg/hiero_index.hh"
#include "grammar/scfg/left_out.hh"
#include "grammar/scfg/scfg_rules.hh"
#include "grammar/scfg/source_patterns.hh"

namespace tunesmith::grammar {

// What rules are looked up for: a sentence, or a lattice whose words stand on these arcs.
struct RuleInput {
  std::vector<std::string> words;
  PatternArcs arcs;
};

class HieroExtractor {
 public:
  explicit HieroExtractor(std::shared_ptr<const HieroIndex> index) : index_(std::move(index)) {}

  const HieroIndex& index() const { return *index_; }
  std::shared_ptr<const HieroIndex> shared_index() const { return index_; }
  const StringIndex& source_words() const { return index_->source_words(); }
  const StringIndex& target_words() const { return index_->target_words(); }
  // Of the rules' features, by id.
  // Of rules from one corpus; those from several have more behind these.
  static std::vector<std::string> feature_names();

  // The rules of a sentence, in ids of the corpus' words; label 0 is X. Words that the corpus does
  // not have are in no rule. May be called by several threads at a time.
  ScfgRules rules_for(const RuleInput& input, const LeftOut& left_out = {}) const;
  // The rules of patterns, whatever they were taken from.
  ScfgRules rules_of(const SourcePatterns& patterns, const LeftOut& left_out = {}) const;
  // All rules of any of the sentences, each once, in the order of the sentences.
  ScfgRules rules_for_text(std::span<const RuleInput> sentences, const LeftOut& left_out,
                           int threads) const;
  // Those of `rules` that rules_for would give of a sentence, had they been taken from this corpus.
  ScfgRules filtered(const ScfgRules& rules, const RuleInput& input) const;

 private:
  SourcePatterns patterns_of(const RuleInput& input) const;

  std::shared_ptr<const HieroIndex> index_;
};

// How many rules of every k-th sentence of the corpus occur once, twice, …; `sentences` of them.
CountsOfCounts count_hiero_rules(const HieroIndex& index, std::size_t sentences, int threads);

}  // namespace tunesmith::grammar
