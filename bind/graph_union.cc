#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "base/string_index.hh"
#include "engine/parallel.hh"
#include "graph/union.hh"
#include "graph_derivations.hh"
#include "graph_pool.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check_map(std::span<const std::int64_t> map, std::int64_t from) {
  if (static_cast<std::int64_t>(map.size()) < from)
    throw nb::value_error("ids without a place in the union");
}

struct Part {
  const bind::GraphArrays* pool;
  std::vector<std::int32_t> words;
  std::vector<std::uint32_t> features;
};

graph::GraphPoolData pool_of(std::vector<graph::Hypergraph>& graphs) {
  graph::GraphPoolData out;
  for (graph::Hypergraph& graph : graphs) {
    out.append(graph.view());
    graph = {};
  }
  return out;
}

}  // namespace

void register_graph_union(nb::module_& m) {
  // Word and feature maps give the union's id for each of a part's.
  m.def(
      "graph_union",
      [](const std::vector<const bind::GraphArrays*>& pools,
         const std::vector<bind::In<std::int64_t>>& words,
         const std::vector<bind::In<std::int64_t>>& features, int threads) {
        std::vector<Part> parts;
        for (std::size_t i = 0; i < pools.size(); ++i) {
          const bind::GraphArrays* pool = pools[i];
          const auto word_map = bind::span_of(words.at(i));
          const auto feature_map = bind::span_of(features.at(i));
          check_map(word_map, pool->view.vocabulary);
          check_map(feature_map, pool->view.features);
          if (pool->view.sentences() != pools[0]->view.sentences())
            throw nb::value_error("pools of different numbers of sentences");
          parts.push_back(
              {pool, {word_map.begin(), word_map.end()}, {feature_map.begin(), feature_map.end()}});
        }
        graph::GraphPoolData out;
        {
          nb::gil_scoped_release release;
          std::vector<graph::Hypergraph> graphs(parts.empty() ? 0
                                                              : parts[0].pool->view.sentences());
          engine::parallel_for(graphs.size(), threads, [&](std::size_t s) {
            graph::GraphUnion all;
            for (const Part& part : parts)
              all.add(part.pool->view.sentence(static_cast<std::int64_t>(s)),
                      {part.words, part.features});
            graphs[s] = all.finish();
          });
          out = pool_of(graphs);
        }
        return bind::to_python(std::move(out));
      },
      "pools"_a, "words"_a, "features"_a, "threads"_a);

  // The graph of chosen derivations alone.
  m.def(
      "graph_of_derivations",
      [](const bind::GraphArrays& pool, bind::In<std::int64_t> offsets,
         bind::In<std::int64_t> edge_offsets, bind::In<std::uint32_t> edges, int threads) {
        const bind::DerivationArrays chosen{offsets, edge_offsets, edges};
        chosen.check(pool.view);
        graph::GraphPoolData out;
        {
          nb::gil_scoped_release release;
          std::vector<graph::Hypergraph> graphs(pool.view.sentences());
          engine::parallel_for(graphs.size(), threads, [&](std::size_t s) {
            graph::GraphUnion all;
            const graph::GraphView graph = pool.view.sentence(static_cast<std::int64_t>(s));
            for (std::int64_t r = offsets.data()[s]; r < offsets.data()[s + 1]; ++r)
              all.add_derivation(graph, chosen.row(r), {});
            graphs[s] = all.finish();
          });
          out = pool_of(graphs);
        }
        return bind::to_python(std::move(out));
      },
      "pool"_a, "offsets"_a, "edge_offsets"_a, "edges"_a, "threads"_a);

  // Texts and features of derivations.
  m.def(
      "graph_derivation_values",
      [](const bind::GraphArrays& pool, const StringIndex& vocabulary,
         bind::In<std::int64_t> offsets, bind::In<std::int64_t> edge_offsets,
         bind::In<std::uint32_t> edges, int threads) {
        const bind::DerivationArrays rows{offsets, edge_offsets, edges};
        rows.check(pool.view);
        if (static_cast<std::int64_t>(vocabulary.size()) < pool.view.vocabulary)
          throw nb::value_error("a vocabulary that does not hold the pool's words");
        std::vector<std::string> texts(rows.rows());
        std::vector<graph::FeatureSum> sums(rows.rows());
        std::string bytes;
        std::vector<std::int64_t> text_offsets{0}, feature_offsets{0};
        std::vector<std::uint32_t> ids;
        std::vector<double> values;
        {
          nb::gil_scoped_release release;
          engine::parallel_for(
              static_cast<std::size_t>(pool.view.sentences()), threads, [&](std::size_t s) {
                const graph::GraphView graph = pool.view.sentence(static_cast<std::int64_t>(s));
                for (std::int64_t r = offsets.data()[s]; r < offsets.data()[s + 1]; ++r) {
                  for (const std::int32_t word : graph::derivation_words(graph, rows.row(r))) {
                    if (!texts[r].empty()) texts[r] += ' ';
                    texts[r] += vocabulary.text(static_cast<std::uint32_t>(word));
                  }
                  sums[r] = graph::derivation_features(graph, rows.row(r));
                }
              });
          for (std::size_t r = 0; r < texts.size(); ++r) {
            bytes += texts[r];
            text_offsets.push_back(static_cast<std::int64_t>(bytes.size()));
            ids.insert(ids.end(), sums[r].ids.begin(), sums[r].ids.end());
            values.insert(values.end(), sums[r].values.begin(), sums[r].values.end());
            feature_offsets.push_back(static_cast<std::int64_t>(ids.size()));
          }
        }
        return bind::tuple_of(bind::to_numpy(std::vector<std::uint8_t>(bytes.begin(), bytes.end())),
                              bind::to_numpy(std::move(text_offsets)),
                              bind::to_numpy(std::move(feature_offsets)),
                              bind::to_numpy(std::move(ids)), bind::to_numpy(std::move(values)));
      },
      "pool"_a, "vocabulary"_a, "offsets"_a, "edge_offsets"_a, "edges"_a, "threads"_a);
}
