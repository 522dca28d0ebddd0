// Names of lexical features, for people: the same features in the same order as the keys of
// lexical_templates.hh, made from the words instead of their hashes.
//
//   rule:das_Haus|the_house                            a rule id
//   edges:target_first.word=the|before.cluster4=0110   a combination of words and length=2
//   rules:das_Haus|the_house|ist|is                    a rule before a rule
//   history.word:in_the|Haus|house                     the last two target words before a rule
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "features/lexical_model.hh"

namespace tunesmith::features {

// A rule in its place.
struct RuleTexts {
  std::vector<std::string_view> source, target;
  std::string_view before, after;  // the source words around it
};

class LexicalNames {
 public:
  // `levels` names the model's levels; the model must outlive this.
  LexicalNames(const LexicalModel& model, std::vector<std::string> levels);

  // Each appends names. Only the words of the rule matter to rule_names.
  void rule_names(const RuleTexts& rule, std::vector<std::string>& names) const;
  void span_names(const RuleTexts& rule, std::vector<std::string>& names) const;
  void context_names(const RuleTexts& rule, std::vector<std::string>& names) const;
  // `last_rule` is null where none goes before; `before` and `last` are the last two target words,
  // null where there are none.
  void history_names(const RuleTexts& rule, const RuleTexts* last_rule,
                     const std::string_view* before, const std::string_view* last,
                     std::vector<std::string>& names) const;

 private:
  void add(LexicalTemplates::Part part, const RuleTexts& rule,
           std::vector<std::string>& names) const;

  const LexicalModel& model_;
  std::vector<std::string> levels_;
};

}  // namespace tunesmith::features
