#include "features/scfg/grammar_features.hh"

#include <algorithm>
#include <utility>

#include "base/error.hh"

namespace tunesmith::features {

GrammarFeatures::GrammarFeatures(ScfgTemplates templates,
                                 std::shared_ptr<const grammar::ScfgGrammar> grammar,
                                 const GivenRows& given, StringIndex names)
    : templates_(std::move(templates)),
      parts_(std::move(grammar)),
      given_ends_(given.ends.begin(), given.ends.end()),
      given_ids_(given.ids.begin(), given.ids.end()),
      given_values_(given.values.begin(), given.values.end()),
      given_names_(std::move(names)) {
  check_given(given, parts_.rules().size(), given_names_.size());
  for (std::uint32_t id = 0; id < given_names_.size(); ++id)
    given_keys_.push_back(name_key(given_names_.text(id)));
  for (const auto& one : templates_) bound_.push_back(one->bind(parts_));
  const auto others = std::ranges::stable_partition(
      bound_, [](const auto& one) { return one->sees_source_only(); });
  of_source_ = static_cast<std::size_t>(others.begin() - bound_.begin());
}

void GrammarFeatures::add_of_source(std::uint32_t rule, FeatureScratch& scratch,
                                    std::vector<RuleFeature>& out) const {
  if (of_source_ == 0) return;
  const ScfgRuleView view = view_of(parts_.rules(), rule);
  for (std::size_t i = 0; i < of_source_; ++i) bound_[i]->features(view, scratch, out);
}

void GrammarFeatures::add_of_rule(std::uint32_t rule, FeatureScratch& scratch,
                                  std::vector<RuleFeature>& out) const {
  const ScfgRuleView view = view_of(parts_.rules(), rule);
  for (std::size_t i = of_source_; i < bound_.size(); ++i) bound_[i]->features(view, scratch, out);
  if (given_ends_.empty()) return;
  for (std::uint64_t i = rule == 0 ? 0 : given_ends_[rule - 1]; i < given_ends_[rule]; ++i)
    out.push_back({given_keys_[given_ids_[i]], given_values_[i]});
}

std::vector<std::string> GrammarFeatures::names(std::uint32_t rule) const {
  const ScfgRuleView view = view_of(parts_.rules(), rule);
  std::vector<std::string> out;
  for (const auto& one : bound_) one->names(view, out);
  if (given_ends_.empty()) return out;
  for (std::uint64_t i = rule == 0 ? 0 : given_ends_[rule - 1]; i < given_ends_[rule]; ++i)
    out.emplace_back(given_names_.text(given_ids_[i]));
  return out;
}

}  // namespace tunesmith::features
