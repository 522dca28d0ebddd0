#include "graph/consensus.hh"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "graph/derivation.hh"
#include "graph/kbest.hh"
#include "graph/ngram_graph.hh"

namespace tunesmith::graph {
namespace {

double similarity(const std::vector<std::int32_t>& words, const NgramTable& table,
                  const std::vector<double>& expected, double expected_length, int order) {
  if (words.empty()) return expected_length == 0.0 ? 1.0 : 0.0;
  std::unordered_map<std::uint32_t, double> counts;
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    std::uint32_t id = NgramTable::kEmpty;
    const std::size_t end = std::min(words.size(), begin + static_cast<std::size_t>(order));
    for (std::size_t i = begin; i < end; ++i) {
      id = table.find(id, words[i]);  // always there: the words are some derivation's
      counts[id] += 1.0;
    }
  }
  std::vector<double> matched(order, 0.0);
  for (const auto& [id, count] : counts)
    matched[table.length(id) - 1] += std::min(count, expected[id]);
  double log_precision = 0.0;
  const int orders = std::min(order, static_cast<int>(words.size()));
  for (int n = 1; n <= orders; ++n)
    log_precision += std::log(matched[n - 1] / static_cast<double>(words.size() - n + 1));
  const double shortness = 1.0 - expected_length / static_cast<double>(words.size());
  return std::exp(log_precision / orders + std::min(0.0, shortness));
}

}  // namespace

Consensus consensus(const GraphView& graph, std::span<const double> scores, double scale,
                    const ConsensusOptions& options) {
  Consensus best;
  if (graph.empty()) return best;
  std::vector<double> logs(scores.begin(), scores.end());
  for (double& log : logs) log *= scale;
  const NgramGraph split = split_by_ngrams(graph, options.order, options.max_edges);
  const std::vector<double> expected = expected_ngrams(split, logs);
  double length = 0.0;
  for (std::uint32_t id = 0; id < expected.size(); ++id)
    if (split.table.length(id) == 1) length += expected[id];

  const WordYields yields(graph);
  KBest list(graph, scores, &yields);
  std::vector<std::uint32_t> edges;
  double score = 0.0;
  for (int k = 0; k < options.candidates && list.derivation(k, edges, &score); ++k) {
    const double found =
        similarity(derivation_words(graph, edges), split.table, expected, length, options.order);
    if (k == 0 || found > best.similarity) best = {edges, score, found};
  }
  return best;
}

}  // namespace tunesmith::graph
