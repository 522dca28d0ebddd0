// The rules of a source side that is complete, with the cells of its non-terminals.
#pragma once

#include <cstdint>

#include "decode/chart/chart_forest.hh"
#include "decode/chart/scored_rules.hh"

namespace tunesmith::decode {

struct Cube {
  std::uint32_t rule_begin = 0, rule_end = 0;  // of ScoredRules, best first
  std::uint32_t cells[2] = {kNothing, kNothing};
  std::int32_t label = 0;
  std::uint32_t arcs = kNothing;  // of ChartForest::read
};

// An edge by a rule of the cube around these items, with its score; `states` are set to those of
// its head that language models have.
inline ChartEdge cube_edge(const Cube& cube, std::uint32_t rule, const std::uint32_t (&items)[2],
                           const ScoredRules& rules, const ChartForest& forest, bool ends_sentence,
                           lm::Fragment* states) {
  ChartEdge edge;
  edge.rule = rule;
  edge.score = rules[rule].own;
  if (cube.arcs != kNothing) edge.score += forest.read[cube.arcs].score;
  const lm::Fragment* tails[2] = {nullptr, nullptr};
  for (int tail = 0; tail < 2 && items[tail] != kNothing; ++tail) {
    edge.tails[tail] = items[tail];
    edge.score += forest.items[items[tail]].score;
    tails[tail] = forest.state(items[tail]);
  }
  for (int m = 0; m < forest.language_models; ++m) {
    const lm::Scorer scorer = rules.read(rules[rule], m, tails, ends_sentence);
    edge.score += rules.lm_weight(m) * scorer.score();
    states[m] = scorer.result();
  }
  return edge;
}

// Whether words of the rule and of these items make no forbidden phrase; sets `state`, the last one
// of its head.
inline bool is_allowed(std::uint32_t rule, const std::uint32_t (&items)[2],
                       const ScoredRules& rules, const ChartForest& forest, lm::Fragment& state) {
  const lm::Fragment* tails[2] = {nullptr, nullptr};
  for (int tail = 0; tail < 2 && items[tail] != kNothing; ++tail)
    tails[tail] = forest.state(items[tail]) + forest.language_models;
  const ForbiddenReader reader = rules.watch(rules[rule], tails);
  state = reader.result();
  return !reader.refused();
}

}  // namespace tunesmith::decode
