// The sparse features of the rules of one grammar: what templates read off them, and what was
// computed elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "features/build_features.hh"
#include "features/scfg/scfg_templates.hh"

namespace tunesmith::features {

class GrammarFeatures {
 public:
  // `given` are more features of every rule, with ids of `names`; none if it is empty. Throws
  // OptionError if it does not fit the grammar.
  GrammarFeatures(ScfgTemplates templates, std::shared_ptr<const grammar::ScfgGrammar> grammar,
                  const GivenRows& given, StringIndex names);
  GrammarFeatures(const GrammarFeatures&) = delete;

  std::size_t rules() const { return parts_.rules().size(); }
  // Appends the features of a rule; one may come twice.
  void add(std::uint32_t rule, FeatureScratch& scratch, std::vector<RuleFeature>& out) const {
    add_of_source(rule, scratch, out);
    add_of_rule(rule, scratch, out);
  }
  // The first of them, which all rules with the same source side have; and the others.
  void add_of_source(std::uint32_t rule, FeatureScratch& scratch,
                     std::vector<RuleFeature>& out) const;
  void add_of_rule(std::uint32_t rule, FeatureScratch& scratch,
                   std::vector<RuleFeature>& out) const;
  // The names of all, in the same order.
  std::vector<std::string> names(std::uint32_t rule) const;

 private:
  ScfgTemplates templates_;
  RuleParts parts_;
  std::vector<std::unique_ptr<BoundTemplate>> bound_;
  std::size_t of_source_ = 0;  // so many of them, the first, see the source side only
  std::vector<std::uint64_t> given_ends_;
  std::vector<std::uint32_t> given_ids_;
  std::vector<float> given_values_;
  StringIndex given_names_;
  std::vector<std::uint64_t> given_keys_;  // by id
};

}  // namespace tunesmith::features
