// Best derivations of a hypergraph: from the leaves up to every node, and from every node up to
// the goal. Edge scores are given, so that the same code serves w · h and anything else.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// w · h of every edge.
std::vector<double> edge_scores(const GraphView& graph, const double* weights);

struct BestInside {
  std::vector<double> score;        // of the best derivation of a node
  std::vector<std::uint32_t> edge;  // its edge; of equals the first
};

struct BestOutside {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  std::vector<double> score;  // of the best of what surrounds a node; −∞ if nothing does
  std::vector<std::uint32_t>
      above;  // the edge that has the node as a tail there; kNone at the goal
};

BestInside best_inside(const GraphView& graph, std::span<const double> scores);
BestOutside best_outside(const GraphView& graph, std::span<const double> scores,
                         const BestInside& inside);

// The edges of the best derivation of `node`, tails before heads (the root's edge is last).
std::vector<std::uint32_t> best_derivation(const GraphView& graph, const BestInside& inside,
                                           std::uint32_t node);

}  // namespace tunesmith::graph
