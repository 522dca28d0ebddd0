// The features of hierarchical rules. docs/hierarchical-grammar.md has their definitions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "grammar/count_smoothing.hh"
#include "grammar/scfg/hiero_index.hh"
#include "grammar/scfg/left_out.hh"
#include "grammar/scfg/rule_counts.hh"

namespace tunesmith::grammar {

// With one for each of several corpora at the end.
std::vector<std::string> hiero_feature_names(int corpora = 1);

// What was seen of a pattern.
struct PatternSample {
  std::vector<Symbol> symbols;
  std::uint64_t places = 0;  // that were looked at
  double weight = 1.0;       // what each stands for
};

// Scores rules and remembers what it looked up for them; one per thread and input.
class RuleScores {
 public:
  RuleScores(const HieroIndex& index, const LeftOut& left_out);

  // Appends the rules of a pattern: source side by source side, the most frequent first.
  void append(const PatternSample& sample, const RuleCounts& counts, ScfgRules& out);

 private:
  struct Lexical {
    double source_given_target = 0.0, target_given_source = 0.0;  // natural logarithms
  };
  Lexical lexical(const std::vector<Symbol>& source, std::span<const Symbol> target);
  HieroIndex::WordPair word_pair(std::uint32_t source, std::uint32_t target);
  // How often the rarest part of a target side occurs in the corpus, but for what is left out.
  double target_count(std::span<const Symbol> target);
  double part_count(std::span<const Symbol> words) const;

  const HieroIndex& index_;
  const LeftOut& left_out_;
  SmoothedFrequency frequency_;
  std::unordered_map<std::uint64_t, HieroIndex::WordPair> word_pairs_;
  std::unordered_map<std::uint64_t, double> part_counts_;
  std::vector<std::uint32_t> order_;
};

}  // namespace tunesmith::grammar
