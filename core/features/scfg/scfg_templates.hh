// Templates of sparse features of hierarchical rules (Simianer, Riezler & Dyer 2012, §4): which
// features a rule has by itself. They are read off a rule when a chart needs it, so a feature is
// known by the hash of its name, and names are written only for those that somebody gets to see.
//
//   rule_id:das_<X1>|the_<X1>        the rule itself (<S>|…|… where its label is not X)
//   src_ngram:das_<X>                neighbours on the source side
//   tgt_ngram:the_<X>                neighbours on the target side
//   pair_ngram:das_Haus|the_house    n words in a row on both sides, the first and the last linked
//   shape:w_<1>|<1>_w                where words (w) and non-terminals stand
//   edges:target_first.word=the|…    WordEdges as far as a rule has them alone (lexical_names.hh)
//
// and those of phrase pairs (rule_templates.hh), in which a non-terminal is a word of no list.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "features/lexical_model.hh"
#include "features/rule_templates.hh"
#include "features/scfg/rule_parts.hh"

namespace tunesmith::features {

// A feature of a rule: the hash of its name (name_key), and its value.
struct RuleFeature {
  std::uint64_t key = 0;
  float value = 1.0F;
};

// What one thread keeps from rule to rule.
struct FeatureScratch {
  std::vector<Firing> firings;
  std::vector<std::uint32_t> source, target;
  // Of templates of phrase pairs: their own keys → hashes of the names.
  std::unordered_map<const void*, std::unordered_map<std::uint64_t, std::uint64_t>> keys;
};

// A template for the rules of one grammar.
class BoundTemplate {
 public:
  virtual ~BoundTemplate() = default;
  // Rules with the same source side have the same features.
  virtual bool sees_source_only() const { return false; }
  // Both append, in the same order. A feature that a rule has twice comes twice.
  virtual void features(const ScfgRuleView& rule, FeatureScratch& scratch,
                        std::vector<RuleFeature>& out) const = 0;
  virtual void names(const ScfgRuleView& rule, std::vector<std::string>& out) const = 0;
};

class ScfgTemplate {
 public:
  virtual ~ScfgTemplate() = default;
  // `parts` outlives what is given back.
  virtual std::unique_ptr<BoundTemplate> bind(const RuleParts& parts) const = 0;
};

using ScfgTemplates = std::vector<std::shared_ptr<const ScfgTemplate>>;

enum class RuleSide { kSource, kTarget };

std::shared_ptr<const ScfgTemplate> rule_ids();
std::shared_ptr<const ScfgTemplate> rule_ngrams(RuleSide side, std::vector<int> sizes);
// Of sizes from 1 on; a pair of 1 is two linked words.
std::shared_ptr<const ScfgTemplate> pair_ngrams(std::vector<int> sizes);
std::shared_ptr<const ScfgTemplate> rule_shapes();
// `levels` names the model's levels; its weights do not matter.
std::shared_ptr<const ScfgTemplate> rule_edges(std::shared_ptr<const LexicalModel> model,
                                               const std::vector<std::string>& levels);
// A template of phrase pairs; `make` gives a new one.
std::shared_ptr<const ScfgTemplate> as_of_phrases(
    std::function<std::unique_ptr<RuleTemplate>()> make);

}  // namespace tunesmith::features
