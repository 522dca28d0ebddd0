#include "decode/graph_options.hh"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hh"
#include "graph/prune.hh"

namespace tunesmith::decode {

void check_graph_options(const GraphOptions& options, std::size_t sentences) {
  if (!std::isfinite(options.density) || options.density < 0.0)
    throw OptionError("density is " + std::to_string(options.density) +
                      ", expected a number above 0");
  if (options.word_counts.empty()) return;
  if (options.word_counts.size() != sentences)
    throw OptionError(std::to_string(options.word_counts.size()) + " word counts for " +
                      std::to_string(sentences) + " sentences");
  for (const std::int64_t count : options.word_counts)
    if (count < 0) throw OptionError("a word count is below 0");
}

std::vector<std::uint8_t> dense_edges(const graph::GraphView& graph, std::span<const double> scores,
                                      double density, std::size_t words) {
  const double most = std::ceil(density * static_cast<double>(std::max<std::size_t>(words, 1)));
  if (most >= static_cast<double>(graph.edges())) return {};
  graph::PruneLimits limits;
  limits.max_edges = static_cast<std::size_t>(most);
  return choose_edges(graph, scores, max_marginals(graph, scores), limits);
}

}  // namespace tunesmith::decode
