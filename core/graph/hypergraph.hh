// What a search leaves of a sentence, as plain arrays: nodes and hyperedges in topological order.
//
// A derivation of a node is one of its edges with a derivation of each tail of that edge. An edge
// without tails is a beginning, so every node has at least one edge; a lattice is a hypergraph
// whose edges have at most one tail. The last node is the goal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::graph {

// An element of an edge's words: a word's id, or the place of the words of a tail.
constexpr std::int32_t tail_slot(int tail) { return -1 - tail; }
constexpr bool is_tail_slot(std::int32_t symbol) { return symbol < 0; }
constexpr int slot_tail(std::int32_t symbol) { return -1 - symbol; }

// Borrowed arrays: one sentence of a GraphPool, or a Hypergraph. Offsets have one entry more
// than there are items and point into the array beside them; the first need not be 0.
struct GraphView {
  std::span<const std::int64_t> edge_offsets;     // [nodes + 1] edges of a node stand together
  std::span<const std::int64_t> tail_offsets;     // [edges + 1]
  std::span<const std::uint32_t> tails;           // nodes, each before the edge's head
  std::span<const std::int64_t> word_offsets;     // [edges + 1]
  std::span<const std::int32_t> words;            // each tail has its slot exactly once
  std::span<const std::int64_t> feature_offsets;  // [edges + 1]
  std::span<const std::uint32_t> feature_ids;     // ascending within an edge
  std::span<const float> feature_values;
  std::span<const std::int32_t> source_spans;  // [edges × 2] begin, end; −1 where unknown

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(edge_offsets.size() - 1); }
  std::uint32_t goal() const { return nodes() - 1; }
  bool empty() const { return edge_offsets.size() < 2; }
  std::uint32_t edges() const { return static_cast<std::uint32_t>(tail_offsets.size() - 1); }
  // Edges of the sentence are counted from 0, whatever the offsets begin with.
  std::uint32_t first_edge(std::uint32_t node) const {
    return static_cast<std::uint32_t>(edge_offsets[node] - edge_offsets[0]);
  }
  std::uint32_t end_edge(std::uint32_t node) const { return first_edge(node + 1); }
  std::span<const std::uint32_t> tails_of(std::uint32_t edge) const {
    return slice(tails, tail_offsets, edge);
  }
  std::span<const std::int32_t> words_of(std::uint32_t edge) const {
    return slice(words, word_offsets, edge);
  }
  std::span<const std::uint32_t> ids_of(std::uint32_t edge) const {
    return slice(feature_ids, feature_offsets, edge);
  }
  std::span<const float> values_of(std::uint32_t edge) const {
    return slice(feature_values, feature_offsets, edge);
  }
  // w · h of the edge alone.
  double score(std::uint32_t edge, const double* weights) const {
    const auto ids = ids_of(edge);
    const auto values = values_of(edge);
    double total = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) total += weights[ids[i]] * values[i];
    return total;
  }
  // target += factor · h of the edge alone.
  void add_to(double* target, std::uint32_t edge, double factor) const {
    const auto ids = ids_of(edge);
    const auto values = values_of(edge);
    for (std::size_t i = 0; i < ids.size(); ++i) target[ids[i]] += factor * values[i];
  }

 private:
  template <typename T>
  static std::span<const T> slice(std::span<const T> items, std::span<const std::int64_t> offsets,
                                  std::uint32_t i) {
    const auto begin = static_cast<std::size_t>(offsets[i] - offsets[0]);
    return items.subspan(begin, static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

// A graph that owns its arrays and grows edge by edge: a node's edges are added one after the
// other, then the node is closed.
struct Hypergraph {
  std::vector<std::int64_t> edge_offsets{0};
  std::vector<std::int64_t> tail_offsets{0};
  std::vector<std::uint32_t> tails;
  std::vector<std::int64_t> word_offsets{0};
  std::vector<std::int32_t> words;
  std::vector<std::int64_t> feature_offsets{0};
  std::vector<std::uint32_t> feature_ids;
  std::vector<float> feature_values;
  std::vector<std::int32_t> source_spans;

  // Ends the edge whose tails, words and features have been pushed.
  void close_edge(std::int32_t source_begin = -1, std::int32_t source_end = -1) {
    tail_offsets.push_back(static_cast<std::int64_t>(tails.size()));
    word_offsets.push_back(static_cast<std::int64_t>(words.size()));
    feature_offsets.push_back(static_cast<std::int64_t>(feature_ids.size()));
    source_spans.push_back(source_begin);
    source_spans.push_back(source_end);
  }
  // Ends the node whose edges have been closed; its number.
  std::uint32_t close_node() {
    edge_offsets.push_back(static_cast<std::int64_t>(tail_offsets.size()) - 1);
    return static_cast<std::uint32_t>(edge_offsets.size()) - 2;
  }
  GraphView view() const {
    return {edge_offsets,    tail_offsets, tails,          word_offsets, words,
            feature_offsets, feature_ids,  feature_values, source_spans};
  }
};

}  // namespace tunesmith::graph
