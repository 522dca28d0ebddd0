#include "graph/inside_outside.hh"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "graph/log_space.hh"

namespace tunesmith::graph {
namespace {

double log_sum(std::span<const double> terms) {
  const double highest = terms.empty() ? kLogZero : *std::max_element(terms.begin(), terms.end());
  if (highest == kLogZero) return kLogZero;
  double sum = 0.0;
  for (const double term : terms) sum += std::exp(term - highest);
  return highest + std::log(sum);
}

}  // namespace

InsideOutside inside_outside(const GraphView& graph, std::span<const double> scores) {
  InsideOutside sums;
  if (graph.empty()) return sums;
  sums.inside.resize(graph.nodes());
  std::vector<double> terms;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    terms.clear();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      double term = scores[e];
      for (const std::uint32_t tail : graph.tails_of(e)) term += sums.inside[tail];
      terms.push_back(term);
    }
    sums.inside[node] = log_sum(terms);
  }
  sums.outside.assign(graph.nodes(), kLogZero);
  sums.outside[graph.goal()] = 0.0;
  for (std::uint32_t node = graph.nodes(); node-- > 0;) {
    if (sums.outside[node] == kLogZero) continue;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      const auto tails = graph.tails_of(e);
      for (std::size_t i = 0; i < tails.size(); ++i) {
        double term = sums.outside[node] + scores[e];
        for (std::size_t j = 0; j < tails.size(); ++j)
          if (j != i) term += sums.inside[tails[j]];
        sums.outside[tails[i]] = log_add(sums.outside[tails[i]], term);
      }
    }
  }
  return sums;
}

std::vector<double> edge_posteriors(const GraphView& graph, std::span<const double> scores,
                                    const InsideOutside& sums) {
  std::vector<double> posteriors(scores.size(), 0.0);
  if (graph.empty()) return posteriors;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (sums.outside[node] == kLogZero) continue;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      double log = sums.outside[node] + scores[e] - sums.total();
      for (const std::uint32_t tail : graph.tails_of(e)) log += sums.inside[tail];
      posteriors[e] = std::exp(log);
    }
  }
  return posteriors;
}

FeatureSum expected_features(const GraphView& graph, std::span<const double> posteriors) {
  std::unordered_map<std::uint32_t, double> totals;
  if (!graph.empty())
    for (std::uint32_t e = 0; e < graph.edges(); ++e) {
      if (posteriors[e] == 0.0) continue;
      const auto ids = graph.ids_of(e);
      const auto values = graph.values_of(e);
      for (std::size_t i = 0; i < ids.size(); ++i) totals[ids[i]] += posteriors[e] * values[i];
    }
  FeatureSum sum;
  for (const auto& [id, value] : totals) sum.ids.push_back(id);
  std::sort(sum.ids.begin(), sum.ids.end());
  for (const std::uint32_t id : sum.ids) sum.values.push_back(totals[id]);
  return sum;
}

}  // namespace tunesmith::graph
