// The hypergraphs of all sentences as flat arrays, the layout of GraphPool in Python.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// Borrowed arrays. Sentence s owns the nodes [node_offsets[s], node_offsets[s + 1]); it may own
// none. Tails are counted from the sentence's own first node, all else over all sentences.
struct GraphPoolView {
  std::span<const std::int64_t> node_offsets;     // [sentences + 1]
  std::span<const std::int64_t> edge_offsets;     // [nodes + 1]
  std::span<const std::int64_t> tail_offsets;     // [edges + 1]
  std::span<const std::uint32_t> tails;           //
  std::span<const std::int64_t> word_offsets;     // [edges + 1]
  std::span<const std::int32_t> words;            //
  std::span<const std::int64_t> feature_offsets;  // [edges + 1]
  std::span<const std::uint32_t> feature_ids;     //
  std::span<const float> feature_values;          //
  std::span<const std::int32_t> source_spans;     // [edges × 2]
  std::int64_t features = 0;                      // feature ids are below this
  std::int64_t vocabulary = 0;                    // word ids are below this

  std::int64_t sentences() const { return static_cast<std::int64_t>(node_offsets.size()) - 1; }
  std::int64_t edges() const { return edge_offsets.back(); }
  GraphView sentence(std::int64_t s) const;
};

// Throws Error unless every sentence is a graph: offsets that cover their arrays, tails before
// their heads (so no cycle), no node without edges (so no tail that dangles), each tail's slot
// once among the words, ids that have names, ascending, and finite values. Native loops trust a
// view that has passed. `names` are for the message and may be null.
void check_graphs(const GraphPoolView& pool, const std::vector<std::string>* names = nullptr);

// The same arrays, owned; sentences are appended one by one.
struct GraphPoolData {
  std::vector<std::int64_t> node_offsets{0};
  Hypergraph graphs;  // all sentences' nodes and edges; tails within their sentence
  StringIndex vocabulary;

  // Words of `graph` are ids of `words`; they are looked up in this pool's vocabulary.
  void append(const GraphView& graph, const StringIndex& words);
  // Words of `graph` are ids of a vocabulary that the caller keeps.
  void append(const GraphView& graph);
  GraphPoolView view(std::int64_t features) const;
};

}  // namespace tunesmith::graph
