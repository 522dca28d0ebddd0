// The words and non-terminals of a grammar as parts of feature names, and its rules as templates
// see them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "features/scfg/name_hash.hh"
#include "grammar/scfg/read_scfg.hh"

namespace tunesmith::features {

// Words are as name_part writes them; a non-terminal is <X>, or <X1> by its place among those of
// the source side. No word looks so: a leading < gets a backslash.
class RuleParts {
 public:
  explicit RuleParts(std::shared_ptr<const grammar::ScfgGrammar> grammar);

  const grammar::ScfgGrammar& grammar() const { return *grammar_; }
  const grammar::ScfgRules& rules() const { return grammar_->rules; }
  const NamePart& source_word(grammar::Symbol word) const { return source_[word]; }
  const NamePart& target_word(grammar::Symbol word) const { return target_[word]; }
  // Of non-terminals.
  const NamePart& gap(int label) const { return gaps_[label]; }
  const NamePart& numbered_gap(int label, int place) const { return numbered_[label][place]; }
  // Whether the label is X, as Chiang calls it.
  bool is_usual(int label) const { return label == usual_label_; }
  // How often the rule and its source side were seen, as far as the grammar's features tell; 0: not
  // known.
  float joint_count(std::size_t rule) const { return count(rule, joint_); }
  float source_count(std::size_t rule) const { return count(rule, of_source_); }

 private:
  // log(1 + count) of a base.
  struct CountFeature {
    std::uint32_t id = StringIndex::kMissing;
    double log_base = 1.0;
  };
  float count(std::size_t rule, const CountFeature& feature) const;

  std::shared_ptr<const grammar::ScfgGrammar> grammar_;
  std::vector<NamePart> source_, target_;  // only those that rules have
  std::vector<NamePart> gaps_;
  std::vector<std::array<NamePart, grammar::kMaxNonterminals>> numbered_;
  int usual_label_ = -1;
  CountFeature joint_, of_source_;
};

struct ScfgRuleView {
  std::uint32_t rule;
  int label;
  std::span<const grammar::Symbol> source, target;
  std::span<const std::uint16_t> links;
  // Of the non-terminals, by their place.
  std::array<int, grammar::kMaxNonterminals> labels;
};

// Both sides of a rule in words; non-terminals are [X,1], [X,2].
std::pair<std::vector<std::string>, std::vector<std::string>> rule_texts(
    const grammar::ScfgGrammar& grammar, std::uint32_t rule);

ScfgRuleView view_of(const grammar::ScfgRules& rules, std::uint32_t rule);

}  // namespace tunesmith::features
