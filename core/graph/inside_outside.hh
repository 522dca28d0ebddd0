// Sums over all derivations, in log space: a derivation of score s weighs exp(s).
#pragma once

#include <span>
#include <vector>

#include "graph/derivation.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::graph {

struct InsideOutside {
  std::vector<double> inside;   // log of the sum over the derivations of a node
  std::vector<double> outside;  // log of the sum over what surrounds a node; −∞ if nothing does

  // log of the sum over all derivations of the goal.
  double total() const { return inside.back(); }
};

InsideOutside inside_outside(const GraphView& graph, std::span<const double> scores);

// p(e): how often an edge is used by a derivation drawn in proportion to its weight. (More than
// once is possible where a node is twice a tail.)
std::vector<double> edge_posteriors(const GraphView& graph, std::span<const double> scores,
                                    const InsideOutside& sums);

// Σ p(e) h(e): the features of a derivation on average.
FeatureSum expected_features(const GraphView& graph, std::span<const double> posteriors);

}  // namespace tunesmith::graph
