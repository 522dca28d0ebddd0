#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "engine/parallel.hh"
#include "graph/derivation.hh"
#include "graph/inside_outside.hh"
#include "graph/kbest.hh"
#include "graph/prune.hh"
#include "graph/viterbi.hh"
#include "graph_derivations.hh"
#include "graph_pool.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

bind::DerivationList kbest(const graph::GraphPoolView& pool, const double* weights, int size,
                           bool distinct, int threads) {
  std::vector<bind::SentenceDerivations> found(pool.sentences());
  engine::parallel_for(found.size(), threads, [&](std::size_t s) {
    const graph::GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
    const std::vector<double> scores = graph::edge_scores(graph, weights);
    const graph::WordYields yields(graph);
    graph::KBest list(graph, scores, distinct && size > 1 ? &yields : nullptr);
    std::vector<std::uint32_t> edges;
    double score = 0.0;
    for (int k = 0; k < size && list.derivation(k, edges, &score); ++k) found[s].add(edges, score);
  });
  return bind::DerivationList(found);
}

// Posteriors of all edges and the logarithm of each sentence's sum.
auto posteriors(const graph::GraphPoolView& pool, const double* weights, int threads) {
  std::vector<double> values(pool.edges()), totals(pool.sentences(), -INFINITY);
  {
    nb::gil_scoped_release release;
    engine::parallel_for(totals.size(), threads, [&](std::size_t s) {
      const graph::GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
      if (graph.empty()) return;
      const std::vector<double> scores = graph::edge_scores(graph, weights);
      const graph::InsideOutside sums = graph::inside_outside(graph, scores);
      const std::vector<double> own = graph::edge_posteriors(graph, scores, sums);
      std::copy(own.begin(), own.end(), values.begin() + graph.edge_offsets[0]);
      totals[s] = sums.total();
    });
  }
  return bind::tuple_of(bind::to_numpy(std::move(values)), bind::to_numpy(std::move(totals)));
}

std::vector<double> best_scores(const graph::GraphPoolView& pool, const double* weights,
                                int threads) {
  std::vector<double> values(pool.edges());
  engine::parallel_for(static_cast<std::size_t>(pool.sentences()), threads, [&](std::size_t s) {
    const graph::GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
    if (graph.empty()) return;
    const std::vector<double> own = graph::max_marginals(graph, graph::edge_scores(graph, weights));
    std::copy(own.begin(), own.end(), values.begin() + graph.edge_offsets[0]);
  });
  return values;
}

// [sentences] CSR rows of Σ p(e) h(e).
auto expected_features(const graph::GraphPoolView& pool, const double* weights, int threads) {
  std::vector<graph::FeatureSum> sums(pool.sentences());
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> ids;
  std::vector<double> values;
  {
    nb::gil_scoped_release release;
    engine::parallel_for(sums.size(), threads, [&](std::size_t s) {
      const graph::GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
      if (graph.empty()) return;
      const std::vector<double> scores = graph::edge_scores(graph, weights);
      sums[s] = graph::expected_features(
          graph, graph::edge_posteriors(graph, scores, graph::inside_outside(graph, scores)));
    });
    for (const graph::FeatureSum& sum : sums) {
      ids.insert(ids.end(), sum.ids.begin(), sum.ids.end());
      values.insert(values.end(), sum.values.begin(), sum.values.end());
      offsets.push_back(static_cast<std::int64_t>(ids.size()));
    }
  }
  return bind::tuple_of(bind::to_numpy(std::move(offsets)), bind::to_numpy(std::move(ids)),
                        bind::to_numpy(std::move(values)));
}

graph::GraphPoolData prune(const graph::GraphPoolView& pool, const double* weights,
                           bool by_posterior, std::span<const std::int64_t> max_edges,
                           double threshold, int threads) {
  std::vector<graph::Hypergraph> kept(pool.sentences());
  engine::parallel_for(kept.size(), threads, [&](std::size_t s) {
    const graph::GraphView graph = pool.sentence(static_cast<std::int64_t>(s));
    if (graph.empty()) return;
    const std::vector<double> scores = graph::edge_scores(graph, weights);
    std::vector<double> values;
    if (by_posterior) {
      values = graph::edge_posteriors(graph, scores, graph::inside_outside(graph, scores));
      for (double& value : values) value = std::log(value);
    } else {
      values = graph::max_marginals(graph, scores);
    }
    graph::PruneLimits limits;
    limits.threshold = threshold;
    if (!max_edges.empty()) limits.max_edges = static_cast<std::size_t>(max_edges[s]);
    kept[s] = graph::kept_part(graph, graph::choose_edges(graph, scores, values, limits));
  });
  graph::GraphPoolData out;
  for (graph::Hypergraph& graph : kept) {
    out.append(graph.view());
    graph = {};
  }
  return out;
}

}  // namespace

void register_graph(nb::module_& m) {
  m.def(
      "graph_kbest",
      [](const bind::GraphArrays& pool, bind::In<double> weights, int size, bool distinct,
         int threads) {
        bind::check_weights(pool.view, weights);
        bind::DerivationList list;
        {
          nb::gil_scoped_release release;
          list = kbest(pool.view, weights.data(), size, distinct, threads);
        }
        return list.to_python();
      },
      "pool"_a, "weights"_a, "size"_a, "distinct"_a, "threads"_a);
  m.def(
      "graph_posteriors",
      [](const bind::GraphArrays& pool, bind::In<double> weights, int threads) {
        bind::check_weights(pool.view, weights);
        return posteriors(pool.view, weights.data(), threads);
      },
      "pool"_a, "weights"_a, "threads"_a);
  m.def(
      "graph_max_marginals",
      [](const bind::GraphArrays& pool, bind::In<double> weights, int threads) {
        bind::check_weights(pool.view, weights);
        std::vector<double> values;
        {
          nb::gil_scoped_release release;
          values = best_scores(pool.view, weights.data(), threads);
        }
        return bind::to_numpy(std::move(values));
      },
      "pool"_a, "weights"_a, "threads"_a);
  m.def(
      "graph_expected_features",
      [](const bind::GraphArrays& pool, bind::In<double> weights, int threads) {
        bind::check_weights(pool.view, weights);
        return expected_features(pool.view, weights.data(), threads);
      },
      "pool"_a, "weights"_a, "threads"_a);
  m.def(
      "graph_prune",
      [](const bind::GraphArrays& pool, bind::In<double> weights, bool by_posterior,
         bind::In<std::int64_t> max_edges, double threshold, int threads) {
        bind::check_weights(pool.view, weights);
        const auto limits = bind::span_of(max_edges);
        if (!limits.empty() && static_cast<std::int64_t>(limits.size()) != pool.view.sentences())
          throw nb::value_error("one limit per sentence is needed");
        for (const std::int64_t limit : limits)
          if (limit < 0) throw nb::value_error("a limit is below 0");
        graph::GraphPoolData out;
        {
          nb::gil_scoped_release release;
          out = prune(pool.view, weights.data(), by_posterior, limits, threshold, threads);
        }
        return bind::to_python(std::move(out));
      },
      "pool"_a, "weights"_a, "by_posterior"_a, "max_edges"_a, "threshold"_a, "threads"_a);
}
