// A derivation as the list of its edges in post-order: each edge after the derivations of its
// tails, in their order. The list alone says which tail has which derivation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// Whether the edges are a derivation of the goal.
bool is_derivation(const GraphView& graph, std::span<const std::uint32_t> edges);

// The words that a derivation yields.
std::vector<std::int32_t> derivation_words(const GraphView& graph,
                                           std::span<const std::uint32_t> edges);

// The sum of the edges' features, ids ascending; values that cancel out are left out.
struct FeatureSum {
  std::vector<std::uint32_t> ids;
  std::vector<double> values;
};
FeatureSum derivation_features(const GraphView& graph, std::span<const std::uint32_t> edges);

// The node that an edge leads to.
std::uint32_t head_of(const GraphView& graph, std::uint32_t edge);

}  // namespace tunesmith::graph
