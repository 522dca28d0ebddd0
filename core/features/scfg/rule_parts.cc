#include "features/scfg/rule_parts.hh"

#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "features/feature_names.hh"

namespace tunesmith::features {

using grammar::is_nonterminal;
using grammar::Symbol;

namespace {

// The parts of the words that occur among `symbols`; the others stay empty.
std::vector<NamePart> parts_of(std::span<const Symbol> symbols, const StringIndex& words) {
  std::vector<bool> used(words.size());
  for (const Symbol symbol : symbols)
    if (!is_nonterminal(symbol)) used[symbol] = true;
  std::vector<NamePart> parts(words.size());
  for (std::uint32_t word = 0; word < words.size(); ++word)
    if (used[word]) parts[word] = NamePart(name_part(words.text(word)));
  return parts;
}

}  // namespace

RuleParts::RuleParts(std::shared_ptr<const grammar::ScfgGrammar> grammar)
    : grammar_(std::move(grammar)),
      source_(parts_of(rules().source.all(), grammar_->source_words)),
      target_(parts_of(rules().target.all(), grammar_->target_words)) {
  for (std::uint32_t label = 0; label < grammar_->labels.size(); ++label) {
    const std::string name = name_part(grammar_->labels.text(label));
    if (name == "X") usual_label_ = static_cast<int>(label);
    gaps_.emplace_back("<" + name + ">");
    auto& numbered = numbered_.emplace_back();
    for (std::size_t place = 0; place < numbered.size(); ++place)
      numbered[place] = NamePart("<" + name + std::to_string(place + 1) + ">");
  }
  const auto find = [&](const char* ours, const char* of_cdec) -> CountFeature {
    const std::uint32_t id = grammar_->features.find(ours);
    if (id != StringIndex::kMissing) return {id, 1.0};
    return {grammar_->features.find(of_cdec), std::numbers::ln10};
  };
  joint_ = find("count_ef", "CountEF");
  of_source_ = find("sample_count_f", "SampleCountF");
}

float RuleParts::count(std::size_t rule, const CountFeature& feature) const {
  const auto ids = rules().ids_of(rule);
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (ids[i] == feature.id)
      return static_cast<float>(
          std::round(std::expm1(rules().values_of(rule)[i] * feature.log_base)));
  return 0.0F;
}

std::pair<std::vector<std::string>, std::vector<std::string>> rule_texts(
    const grammar::ScfgGrammar& grammar, std::uint32_t rule) {
  const ScfgRuleView view = view_of(grammar.rules, rule);
  const auto gap = [&](int place) {
    const auto label = static_cast<std::uint32_t>(view.labels[place]);
    return "[" + std::string(grammar.labels.text(label)) + "," + std::to_string(place + 1) + "]";
  };
  std::pair<std::vector<std::string>, std::vector<std::string>> out;
  int seen = 0;
  for (const Symbol symbol : view.source)
    out.first.push_back(is_nonterminal(symbol) ? gap(seen++)
                                               : std::string(grammar.source_words.text(symbol)));
  for (const Symbol symbol : view.target)
    out.second.push_back(is_nonterminal(symbol) ? gap(grammar::label_or_place(symbol))
                                                : std::string(grammar.target_words.text(symbol)));
  return out;
}

ScfgRuleView view_of(const grammar::ScfgRules& rules, std::uint32_t rule) {
  ScfgRuleView view{
      rule, rules.labels[rule], rules.source_of(rule), rules.target_of(rule), rules.links_of(rule),
      {}};
  int place = 0;
  for (const Symbol symbol : view.source)
    if (is_nonterminal(symbol)) view.labels[place++] = grammar::label_or_place(symbol);
  return view;
}

}  // namespace tunesmith::features
