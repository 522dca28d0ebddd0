#include "features/lexical_names.hh"

#include "base/error.hh"
#include "features/feature_names.hh"

namespace tunesmith::features {
namespace {

using Place = LexicalTemplates::Place;

constexpr const char* kNothing = "<none>";

std::string joined(const std::vector<std::string_view>& words) {
  std::string out;
  for (const std::string_view word : words) out += (out.empty() ? "" : "_") + name_part(word);
  return out;
}

std::string pair_of(const RuleTexts& rule) {
  return joined(rule.source) + "|" + joined(rule.target);
}

// A place of a combination: its name, its word (null: there is none) and the edge it is seen from.
struct Spot {
  const char* name;
  const std::string_view* word;
  bool source, from_left;
};

Spot spot_of(const RuleTexts& rule, int place) {
  const auto first = [](const std::vector<std::string_view>& words) {
    return words.empty() ? nullptr : &words.front();
  };
  const auto last = [](const std::vector<std::string_view>& words) {
    return words.empty() ? nullptr : &words.back();
  };
  switch (place) {
    case Place::kSourceFirst:
      return {"source_first", first(rule.source), true, true};
    case Place::kSourceLast:
      return {"source_last", last(rule.source), true, false};
    case Place::kTargetFirst:
      return {"target_first", first(rule.target), false, true};
    case Place::kTargetLast:
      return {"target_last", last(rule.target), false, false};
    case Place::kBefore:
      return {"before", &rule.before, true, false};
    default:
      return {"after", &rule.after, true, true};
  }
}

}  // namespace

LexicalNames::LexicalNames(const LexicalModel& model, std::vector<std::string> levels)
    : model_(model), levels_(std::move(levels)) {
  if (levels_.size() != model.templates().options().levels.size())
    throw OptionError("names of another number of levels than the features have");
}

void LexicalNames::add(LexicalTemplates::Part part, const RuleTexts& rule,
                       std::vector<std::string>& names) const {
  for (const auto& combination : model_.templates().combinations(part)) {
    std::string name;
    for (const LexicalTemplates::Atom& atom : combination) {
      name += name.empty() ? "edges:" : "|";
      if (atom.place == Place::kPlaces) {
        name += "length=" + std::to_string(rule.source.size());
        continue;
      }
      const Spot spot = spot_of(rule, atom.place);
      const WordAtoms& words = spot.source ? model_.source() : model_.target();
      name +=
          std::string(spot.name) + "." + levels_[atom.level] + "=" +
          (spot.word == nullptr ? kNothing : words.text(*spot.word, atom.level, spot.from_left));
    }
    names.push_back(std::move(name));
  }
}

void LexicalNames::rule_names(const RuleTexts& rule, std::vector<std::string>& names) const {
  if (model_.templates().options().rule_ids) names.push_back("rule:" + pair_of(rule));
  add(LexicalTemplates::Part::kRule, rule, names);
}

void LexicalNames::span_names(const RuleTexts& rule, std::vector<std::string>& names) const {
  add(LexicalTemplates::Part::kSpan, rule, names);
}

void LexicalNames::context_names(const RuleTexts& rule, std::vector<std::string>& names) const {
  add(LexicalTemplates::Part::kContext, rule, names);
}

void LexicalNames::history_names(const RuleTexts& rule, const RuleTexts* last_rule,
                                 const std::string_view* before, const std::string_view* last,
                                 std::vector<std::string>& names) const {
  const LexicalTemplates& templates = model_.templates();
  if (templates.options().rule_pairs)
    names.push_back("rules:" + (last_rule == nullptr ? kNothing : pair_of(*last_rule)) + "|" +
                    pair_of(rule));
  for (const int level : templates.history_levels()) {
    const auto text = [&](const std::string_view* word) {
      return word == nullptr ? kNothing : model_.target().text(*word, level, false);
    };
    names.push_back("history." + levels_[level] + ":" + text(before) + "_" + text(last) + "|" +
                    pair_of(rule));
  }
}

}  // namespace tunesmith::features
