// Tuners of graphs: the same with one and with several threads.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.hh"
#include "graph/bleu_space.hh"
#include "tune/graph_mira.hh"
#include "tune/graph_risk.hh"
#include "tune/line_search/graph_line_search.hh"
#include "tune/line_search/hill_climb.hh"

using namespace tunesmith;

namespace {

constexpr int kSentences = 20, kNodes = 12, kFeatures = 4, kWords = 8;

// Lattices with some edges of two tails.
struct Graphs {
  Graphs() {
    StringIndex words;
    for (int w = 0; w < kWords; ++w) words.add("w" + std::to_string(w));
    Random random(7);
    for (int s = 0; s < kSentences; ++s) {
      graph::Hypergraph graph;
      for (int node = 0; node < kNodes; ++node) {
        for (int e = 0; e < 3; ++e) add_edge(graph, node, e, random);
        graph.close_node();
      }
      data.append(graph.view(), words);
      std::string text;
      for (int w = 0; w < 10; ++w) text += "w" + std::to_string(random.below(kWords)) + " ";
      texts.push_back(text);
    }
    pool = data.view(kFeatures);
  }

  static void add_edge(graph::Hypergraph& graph, int node, int e, Random& random) {
    graph.words.push_back(static_cast<std::int32_t>(random.below(kWords)));
    const int arity = node == 0 ? 0 : 1 + (e == 2 && node < 4);
    for (int t = 0; t < arity; ++t) {
      graph.tails.push_back(static_cast<std::uint32_t>(node - 1));
      graph.words.push_back(graph::tail_slot(t));
    }
    for (int f = 0; f < kFeatures; ++f) {
      graph.feature_ids.push_back(static_cast<std::uint32_t>(f));
      graph.feature_values.push_back(static_cast<float>(random.normal()));
    }
    graph.close_edge();
  }

  graph::GraphPoolData data;
  graph::GraphPoolView pool;
  std::vector<std::string> texts;
};

std::vector<double> tuned(const Graphs& graphs, const metrics::BleuScorer& scorer, int threads) {
  std::vector<std::uint32_t> ids(kSentences);
  std::iota(ids.begin(), ids.end(), 0U);
  const graph::BleuSpace space(graphs.pool, graphs.data.vocabulary, scorer, ids, threads);
  const metrics::BleuGain gain;
  const std::vector<double> start(kFeatures, 0.5), scale(kFeatures, 1.0), background(10, 2.0);
  tune::GraphMira mira(gain, start, scale, background, 1.0, {.beam = 5, .threads = threads});
  std::vector<std::int64_t> order(kSentences);
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (int pass = 0; pass < 3; ++pass) mira.run_pass(space, order);
  std::vector<double> result = mira.average();
  result.push_back(static_cast<double>(mira.paths().size()));

  tune::GraphRisk risk(space, gain, scale, 20.0, 0.1, threads);
  std::vector<double> weights = start;
  result.push_back(risk.descend(weights, 5));
  result.insert(result.end(), weights.begin(), weights.end());

  tune::GraphLineSearch search(graphs.pool, graphs.data.vocabulary, scorer, gain, scale, threads);
  tune::ClimbOptions options;
  options.random_directions = 1;
  options.low.assign(kFeatures, -INFINITY);
  options.high.assign(kFeatures, INFINITY);
  const tune::Climb end = tune::climb(search, start, options, 0);
  result.push_back(end.gain);
  result.insert(result.end(), end.weights.begin(), end.weights.end());
  return result;
}

}  // namespace

int main() {
  const Graphs graphs;
  metrics::References references(1);
  for (const std::string& text : graphs.texts) references[0].push_back(text);
  const metrics::BleuScorer scorer({}, references);
  const auto one = tuned(graphs, scorer, 1);
  if (one != tuned(graphs, scorer, 4)) {
    std::puts("results depend on the number of threads");
    return 1;
  }
  if (one[0] == 0.5) {
    std::puts("nothing was learned");
    return 1;
  }
  return 0;
}
