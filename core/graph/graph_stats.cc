#include "graph/graph_stats.hh"

#include "engine/parallel.hh"
#include "graph/derivation.hh"
#include "graph/viterbi.hh"

namespace tunesmith::graph {

std::string derivation_text(const GraphView& graph, std::span<const std::uint32_t> edges,
                            const StringIndex& vocabulary) {
  std::string text;
  for (const std::int32_t word : derivation_words(graph, edges)) {
    if (!text.empty()) text += ' ';
    text += vocabulary.text(static_cast<std::uint32_t>(word));
  }
  return text;
}

std::vector<std::int32_t> best_stats(const GraphPoolView& pool, const StringIndex& vocabulary,
                                     const metrics::SegmentScorer& scorer, const double* weights,
                                     int threads) {
  const auto size = static_cast<std::size_t>(scorer.size());
  std::vector<std::int32_t> stats(pool.sentences() * size, 0);
  engine::parallel_for(
      pool.sentences(), threads,
      [&](std::size_t s) {
        const GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
        if (graph.empty()) return;
        const BestInside inside = best_inside(graph, edge_scores(graph, weights));
        const auto edges = best_derivation(graph, inside, graph.goal());
        scorer.stats(static_cast<std::uint32_t>(s), derivation_text(graph, edges, vocabulary),
                     stats.data() + s * size);
      },
      4);
  return stats;
}

}  // namespace tunesmith::graph
