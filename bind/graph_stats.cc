#include "graph/graph_stats.hh"

#include <nanobind/nanobind.h>

#include "graph_pool.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_graph_stats(nb::module_& m) {
  m.def(
      "graph_best_stats",
      [](const bind::GraphArrays& graphs, const StringIndex& vocabulary,
         const metrics::SegmentScorer& scorer, bind::In<double> weights, int threads) {
        bind::check_weights(graphs.view, weights);
        if (graphs.view.sentences() > static_cast<std::int64_t>(scorer.sentences()))
          throw nb::value_error("a sentence without references");
        if (vocabulary.size() != static_cast<std::uint64_t>(graphs.view.vocabulary))
          throw nb::value_error("the vocabulary is not that of the graphs");
        std::vector<std::int32_t> stats;
        {
          nb::gil_scoped_release release;
          stats = graph::best_stats(graphs.view, vocabulary, scorer, weights.data(), threads);
        }
        const auto rows = static_cast<std::size_t>(graphs.view.sentences());
        return bind::to_numpy(std::move(stats), {rows, static_cast<std::size_t>(scorer.size())});
      },
      "graphs"_a, "vocabulary"_a, "scorer"_a, "weights"_a, "threads"_a);
}
