#include "decode/rule_worth.hh"

#include <algorithm>

namespace tunesmith::decode {
namespace {

// visit(feature, score) for all scores of the rule in its tables.
template <typename Visit>
void visit_tables(const PhraseModel& model, const PhraseRule& rule, const Visit& visit) {
  if (rule.rule == grammar::kNoRule) return;
  const TableGroup group = model.group_of(rule.table);
  const int begin = model.table_begin(group.begin);
  for (int i = 0; i < model.scores(group); ++i) visit(begin + i, rule.scores[i]);
}

}  // namespace

void read_tables(const PhraseModel& model, TableGroup group, std::span<const std::uint32_t> pair,
                 Arena& arena, PhraseRule& rule) {
  const auto has = [](std::uint32_t one) { return one != grammar::kNoRule; };
  const auto first = static_cast<int>(std::ranges::find_if(pair, has) - pair.begin());
  rule.table = group.begin + first;
  rule.rule = pair[first];
  if (group.size() == 1) {
    rule.scores = model.table(rule.table).scores(rule.rule);
  } else {
    auto* rules = arena.make<std::uint32_t>(pair.size());
    std::copy(pair.begin(), pair.end(), rules);
    rule.pair = rules;
    auto* scores = arena.make<float>(model.scores(group));
    model.read_scores(group, pair, scores);
    rule.scores = scores;
  }
  rule.reordering = model.reordering().of_rule(rule);
}

double add_phrase_score(double score, const PhraseModel& model, std::span<const double> weights,
                        const PhraseRule& rule) {
  const double* own = &weights[model.plain_begin()];
  visit_phrase(rule, [&](PlainFeature feature, int value) { score += own[feature] * value; });
  return score;
}

double add_words_score(double score, const PhraseModel& model, std::span<const double> weights,
                       const PhraseRule& rule) {
  const double* own = &weights[model.plain_begin()];
  visit_words(rule, [&](PlainFeature feature, int value) { score += own[feature] * value; });
  return score;
}

double add_table_score(double score, const PhraseModel& model, std::span<const double> weights,
                       const PhraseRule& rule) {
  if (rule.rule == grammar::kNoRule) return score;
  visit_tables(model, rule, [&](int feature, float value) { score += weights[feature] * value; });
  return score + model.sparse(rule.table, rule.rule).dot(weights.data() + model.features());
}

void add_rule_features(const PhraseModel& model, const PhraseRule& rule, double* features,
                       SparseVector& sparse) {
  visit_tables(model, rule, [&](int feature, float value) { features[feature] += value; });
  if (rule.rule != grammar::kNoRule) sparse.add(model.sparse(rule.table, rule.rule));
  double* own = features + model.plain_begin();
  const auto add = [&](PlainFeature feature, int value) { own[feature] += value; };
  visit_phrase(rule, add);
  visit_words(rule, add);
}

}  // namespace tunesmith::decode
