// The forest of a chart as a hypergraph: every derivation that was in the beam.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/string_index.hh"
#include "decode/chart/chart_forest.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/scored_rules.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::decode {

// A sparse feature of a graph: the hash of its name, and a rule that has it.
struct GraphFeature {
  std::uint64_t key = 0;
  std::uint32_t rule = 0;   // of the grammar
  std::uint32_t place = 0;  // among the rule's own
};

struct ChartGraph {
  graph::Hypergraph graph;
  StringIndex words;
  std::vector<std::int32_t> rules;  // of every edge: a rule of the grammar, or a SpecialRule
  // The ids behind the dense features', in the order in which edges first have them.
  std::vector<GraphFeature> sparse;
  // Of a lattice: the edges of the input that every edge's rule read itself, from `arc_offsets`.
  std::vector<std::uint64_t> arc_offsets;
  std::vector<std::uint32_t> arcs;
};

// Items from which the goal was not reached are left out, and edges whose flag in `keep` is 0
// (empty: all are kept). An input of no words has one edge that says nothing.
ChartGraph chart_graph(const ChartModel& model, const ScoredRules& rules,
                       const ChartGrammar& grammar, const ChartInput& input,
                       const ChartForest& forest, std::span<const std::uint8_t> keep);

}  // namespace tunesmith::decode
