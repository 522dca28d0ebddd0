// A GraphPoolView over numpy arrays that its Python object keeps alive; every graph algorithm's
// binding takes one. And the way back: native pools as what Python's GraphPool is made of.
#pragma once

#include <memory>

#include "arrays.hh"
#include "graph/graph_pool.hh"

namespace tunesmith::bind {

struct GraphArrays {
  graph::GraphPoolView view;
};

// What a caller hands in besides the pool must fit it: native loops do not look again.
inline void check_weights(const graph::GraphPoolView& pool, const In<double>& weights) {
  if (static_cast<std::int64_t>(weights.size()) != pool.features)
    throw nb::value_error("one weight per feature is needed");
}

// What a pool is made of, by the names that Python's GraphPool has.
struct GraphParts {
  Out<std::int64_t> node_offsets, edge_offsets, tail_offsets;
  Out<std::uint32_t> tails;
  Out<std::int64_t> word_offsets;
  Out<std::int32_t> words;
  Out<std::int64_t> feature_offsets;
  Out<std::uint32_t> feature_ids;
  Out<float> feature_values;
  Out<std::int32_t> source_spans;
  std::shared_ptr<StringIndex> vocabulary;
};

inline GraphParts to_python(graph::GraphPoolData&& pool) {
  graph::Hypergraph& graphs = pool.graphs;
  const std::size_t edges = graphs.source_spans.size() / 2;
  GraphParts out;
  out.node_offsets = to_numpy(std::move(pool.node_offsets));
  out.edge_offsets = to_numpy(std::move(graphs.edge_offsets));
  out.tail_offsets = to_numpy(std::move(graphs.tail_offsets));
  out.tails = to_numpy(std::move(graphs.tails));
  out.word_offsets = to_numpy(std::move(graphs.word_offsets));
  out.words = to_numpy(std::move(graphs.words));
  out.feature_offsets = to_numpy(std::move(graphs.feature_offsets));
  out.feature_ids = to_numpy(std::move(graphs.feature_ids));
  out.feature_values = to_numpy(std::move(graphs.feature_values));
  out.source_spans = to_numpy(std::move(graphs.source_spans), {edges, 2});
  out.vocabulary = std::make_shared<StringIndex>(std::move(pool.vocabulary));
  return out;
}

}  // namespace tunesmith::bind
