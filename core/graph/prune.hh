// Smaller graphs: which edges are worth keeping, and the graph of those alone.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

struct PruneLimits {
  // No more edges than this, unless the best derivation alone has more.
  std::size_t max_edges = std::numeric_limits<std::size_t>::max();
  // No edge whose value is further than this below the best edge's.
  double threshold = std::numeric_limits<double>::infinity();
};

// For every edge the score of the best derivation that uses it; −∞ where none does.
std::vector<double> max_marginals(const GraphView& graph, std::span<const double> scores);

// Marks edges by falling `values` (of equals the first edge first), each with the best derivation
// through it, until the limits are met: the kept graph has no dead ends, and holds the best
// derivation. Edges of no complete derivation are never kept.
std::vector<std::uint8_t> choose_edges(const GraphView& graph, std::span<const double> scores,
                                       std::span<const double> values, const PruneLimits& limits);

// The graph of the marked edges; marks are as choose_edges() makes them.
Hypergraph kept_part(const GraphView& graph, std::span<const std::uint8_t> keep);

}  // namespace tunesmith::graph
