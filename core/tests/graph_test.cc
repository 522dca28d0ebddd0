// Graph algorithms read one pool from many threads: sentence i writes slot i, whoever does it.
#include <cstdio>
#include <vector>

#include "base/random.hh"
#include "engine/parallel.hh"
#include "graph/consensus.hh"
#include "graph/derivation.hh"
#include "graph/graph_pool.hh"
#include "graph/inside_outside.hh"
#include "graph/kbest.hh"
#include "graph/prune.hh"
#include "graph/union.hh"
#include "graph/viterbi.hh"
#include "graph/write_graphs.hh"

using namespace tunesmith;

namespace {

constexpr int kSentences = 40, kFeatures = 4, kWords = 5;

graph::Hypergraph random_graph(Random& random) {
  graph::Hypergraph graph;
  const int nodes = 1 + static_cast<int>(random.below(7));
  for (int node = 0; node < nodes; ++node) {
    const int edges = 1 + static_cast<int>(random.below(3));
    for (int e = 0; e < edges; ++e) {
      const int tails = node == 0 ? 0 : static_cast<int>(random.below(3));
      for (int t = 0; t < tails; ++t) {
        graph.tails.push_back(static_cast<std::uint32_t>(random.below(node)));
        graph.words.push_back(graph::tail_slot(t));
        if (random.below(2) == 0)
          graph.words.push_back(static_cast<std::int32_t>(random.below(kWords)));
      }
      if (tails == 0) graph.words.push_back(static_cast<std::int32_t>(random.below(kWords)));
      for (std::uint32_t f = 0; f < kFeatures; ++f) {
        graph.feature_ids.push_back(f);
        graph.feature_values.push_back(static_cast<float>(random.normal()));
      }
      graph.close_edge();
    }
    graph.close_node();
  }
  return graph;
}

// All that is asked of a sentence, as numbers.
struct Answers {
  std::vector<double> numbers;
  std::string text;
  bool operator==(const Answers&) const = default;
};

Answers ask(const graph::GraphView& graph, const std::vector<double>& weights,
            const graph::GraphNames& names) {
  Answers answers;
  const std::vector<double> scores = graph::edge_scores(graph, weights.data());
  const auto add = [&](const auto& values) {
    answers.numbers.insert(answers.numbers.end(), values.begin(), values.end());
  };
  const graph::WordYields yields(graph);
  graph::KBest list(graph, scores, &yields);
  std::vector<std::uint32_t> edges;
  double score = 0.0;
  graph::GraphUnion both;
  for (int k = 0; k < 10 && list.derivation(k, edges, &score); ++k) {
    answers.numbers.push_back(score);
    add(edges);
    add(graph::derivation_words(graph, edges));
    both.add_derivation(graph, edges, {});
  }
  add(graph::edge_posteriors(graph, scores, graph::inside_outside(graph, scores)));
  graph::PruneLimits limits;
  limits.max_edges = 6;
  const std::vector<double> values = graph::max_marginals(graph, scores);
  both.add(graph::kept_part(graph, graph::choose_edges(graph, scores, values, limits)).view(), {});
  answers.text = graph::graph_as_cdec(both.finish().view(), names);
  const graph::Consensus best = graph::consensus(graph, scores, 1.0, {20, 3, 1'000'000});
  add(best.edges);
  answers.numbers.push_back(best.similarity);
  return answers;
}

}  // namespace

int main() {
  Random random(7);
  StringIndex words;
  for (int w = 0; w < kWords; ++w) words.add(std::string(1, static_cast<char>('a' + w)));
  const std::vector<std::string> features{"f0", "f1", "f2", "f3"};
  graph::GraphPoolData data;
  for (int s = 0; s < kSentences; ++s) data.append(random_graph(random).view(), words);
  const graph::GraphPoolView pool = data.view(kFeatures);
  graph::check_graphs(pool, &features);
  const std::vector<double> weights{1.0, -0.5, 0.25, 2.0};
  const auto ask_all = [&](int threads) {
    std::vector<Answers> answers(kSentences);
    engine::parallel_for(answers.size(), threads, [&](std::size_t s) {
      answers[s] =
          ask(pool.sentence(static_cast<std::int64_t>(s)), weights, {data.vocabulary, features});
    });
    return answers;
  };
  const std::vector<Answers> expected = ask_all(1);
  for (const int threads : {2, 4})
    if (ask_all(threads) != expected) {
      std::fprintf(stderr, "answers depend on the number of threads\n");
      return 1;
    }
  return 0;
}
