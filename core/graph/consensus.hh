// Consensus decoding (DeNero, Chiang & Knight 2009): of the best derivations the one whose words
// are most like what the whole graph says on average.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

struct ConsensusOptions {
  // Derivations of distinct words that are compared.
  int candidates = 100;
  // Longest n-grams.
  int order = 4;
  // Bound on the edges of the graph with n-gram states.
  std::size_t max_edges = 20'000'000;
};

struct Consensus {
  std::vector<std::uint32_t> edges;  // of the derivation, in post-order
  double score = 0.0;                // its own
  double similarity = 0.0;           // BLEU against expected counts, in [0, 1]
};

// `scores` order the candidates, `scores` × `scale` are the logarithms of the derivations'
// weights. BLEU takes expected n-gram counts for the reference's and the expected length for its
// length; orders of which a candidate has no n-gram are left out of the mean. Of equals the one
// with the higher score.
Consensus consensus(const GraphView& graph, std::span<const double> scores, double scale,
                    const ConsensusOptions& options);

}  // namespace tunesmith::graph
