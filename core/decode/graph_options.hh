// What a caller may say about the graphs of searches.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::decode {

struct GraphOptions {
  // Edges kept for each word, those on the best derivations first (max-marginals); 0 keeps all.
  double density = 0.0;
  // The words that `density` counts, for each sentence (of its reference, say); empty means those
  // of the best translation.
  std::vector<std::int64_t> word_counts;
};

// Throws OptionError for options that make no sense.
void check_graph_options(const GraphOptions& options, std::size_t sentences);

// Marks the edges that `density` leaves of a graph for a translation of `words` words; empty if all
// stay.
std::vector<std::uint8_t> dense_edges(const graph::GraphView& graph, std::span<const double> scores,
                                      double density, std::size_t words);

}  // namespace tunesmith::decode
