#include "graph/viterbi.hh"

#include <algorithm>
#include <limits>

namespace tunesmith::graph {

std::vector<double> edge_scores(const GraphView& graph, const double* weights) {
  std::vector<double> scores(graph.empty() ? 0 : graph.edges());
  for (std::uint32_t e = 0; e < scores.size(); ++e) scores[e] = graph.score(e, weights);
  return scores;
}

BestInside best_inside(const GraphView& graph, std::span<const double> scores) {
  BestInside best;
  if (graph.empty()) return best;
  best.score.resize(graph.nodes());
  best.edge.resize(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    double highest = -std::numeric_limits<double>::infinity();
    std::uint32_t chosen = graph.first_edge(node);
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      double total = scores[e];
      for (const std::uint32_t tail : graph.tails_of(e)) total += best.score[tail];
      if (total > highest) {
        highest = total;
        chosen = e;
      }
    }
    best.score[node] = highest;
    best.edge[node] = chosen;
  }
  return best;
}

BestOutside best_outside(const GraphView& graph, std::span<const double> scores,
                         const BestInside& inside) {
  BestOutside best;
  if (graph.empty()) return best;
  best.score.assign(graph.nodes(), -std::numeric_limits<double>::infinity());
  best.above.assign(graph.nodes(), BestOutside::kNone);
  best.score[graph.goal()] = 0.0;
  for (std::uint32_t node = graph.nodes(); node-- > 0;) {
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      const auto tails = graph.tails_of(e);
      for (std::size_t i = 0; i < tails.size(); ++i) {
        double total = best.score[node] + scores[e];
        for (std::size_t j = 0; j < tails.size(); ++j)
          if (j != i) total += inside.score[tails[j]];
        if (total > best.score[tails[i]]) {
          best.score[tails[i]] = total;
          best.above[tails[i]] = e;
        }
      }
    }
  }
  return best;
}

std::vector<std::uint32_t> best_derivation(const GraphView& graph, const BestInside& inside,
                                           std::uint32_t node) {
  std::vector<std::uint32_t> edges, open{node};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    edges.push_back(inside.edge[at]);
    for (const std::uint32_t tail : graph.tails_of(inside.edge[at])) open.push_back(tail);
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

}  // namespace tunesmith::graph
