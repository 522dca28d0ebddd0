#include <nanobind/nanobind.h>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "graph/consensus.hh"
#include "graph/ngram_graph.hh"
#include "graph/viterbi.hh"
#include "graph_derivations.hh"
#include "graph_pool.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// Says which sentence an error is about.
template <typename Body>
void for_each_sentence(std::size_t sentences, int threads, const Body& body) {
  engine::parallel_for(sentences, threads, [&](std::size_t s) {
    try {
      body(s);
    } catch (const Error& error) {
      throw Error("sentence " + std::to_string(s + 1) + ": " + error.what());
    }
  });
}

struct ExpectedNgrams {
  std::vector<std::int64_t> ends;  // of each n-gram's words
  std::vector<std::int32_t> words;
  std::vector<double> values;
};

}  // namespace

void register_graph_ngrams(nb::module_& m) {
  m.def(
      "graph_expected_ngrams",
      [](const bind::GraphArrays& pool, bind::In<double> weights, int order, std::size_t max_edges,
         int threads) {
        bind::check_weights(pool.view, weights);
        std::vector<std::int64_t> offsets{0}, word_offsets{0};
        std::vector<std::int32_t> words;
        std::vector<double> values;
        {
          nb::gil_scoped_release release;
          std::vector<ExpectedNgrams> found(pool.view.sentences());
          for_each_sentence(found.size(), threads, [&](std::size_t s) {
            const graph::GraphView graph = pool.view.sentence(static_cast<std::int64_t>(s));
            const graph::NgramGraph split = graph::split_by_ngrams(graph, order, max_edges);
            found[s].values =
                graph::expected_ngrams(split, graph::edge_scores(graph, weights.data()));
            for (std::uint32_t id = 0; id < split.table.size(); ++id) {
              const std::vector<std::int32_t> own = split.table.words(id);
              found[s].words.insert(found[s].words.end(), own.begin(), own.end());
              found[s].ends.push_back(static_cast<std::int64_t>(found[s].words.size()));
            }
          });
          for (const ExpectedNgrams& sentence : found) {
            const auto first = static_cast<std::int64_t>(words.size());
            for (const std::int64_t end : sentence.ends) word_offsets.push_back(first + end);
            words.insert(words.end(), sentence.words.begin(), sentence.words.end());
            values.insert(values.end(), sentence.values.begin(), sentence.values.end());
            offsets.push_back(static_cast<std::int64_t>(values.size()));
          }
        }
        return bind::tuple_of(bind::to_numpy(std::move(offsets)),
                              bind::to_numpy(std::move(word_offsets)),
                              bind::to_numpy(std::move(words)), bind::to_numpy(std::move(values)));
      },
      "pool"_a, "weights"_a, "order"_a, "max_edges"_a, "threads"_a);

  m.def(
      "graph_consensus",
      [](const bind::GraphArrays& pool, bind::In<double> weights, double scale, int candidates,
         int order, std::size_t max_edges, int threads) {
        bind::check_weights(pool.view, weights);
        bind::DerivationList list;
        std::vector<double> similarities;
        {
          nb::gil_scoped_release release;
          std::vector<bind::SentenceDerivations> found(pool.view.sentences());
          std::vector<double> own(pool.view.sentences());
          for_each_sentence(found.size(), threads, [&](std::size_t s) {
            const graph::GraphView graph = pool.view.sentence(static_cast<std::int64_t>(s));
            if (graph.empty()) return;
            const graph::Consensus best =
                graph::consensus(graph, graph::edge_scores(graph, weights.data()), scale,
                                 {candidates, order, max_edges});
            found[s].add(best.edges, best.score);
            own[s] = best.similarity;
          });
          for (std::size_t s = 0; s < own.size(); ++s)
            if (!found[s].scores.empty()) similarities.push_back(own[s]);
          list = bind::DerivationList(found);
        }
        return bind::tuple_of(list.to_python(), bind::to_numpy(std::move(similarities)));
      },
      "pool"_a, "weights"_a, "scale"_a, "candidates"_a, "order"_a, "max_edges"_a, "threads"_a);
}
