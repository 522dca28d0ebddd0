// A graph whose nodes are split until every edge knows which n-grams it completes.
//
// A node becomes one node for each pair of first and last n − 1 words that its derivations yield;
// what can never be seen from outside (the first words of a node that nothing is ever put before,
// as in lattices read from left to right) is not told apart. Derivations stay the same, one to
// one, and so do their scores.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// N-grams of a sentence's words ↔ ids; an n-gram is its first n − 1 words' id and its last word.
class NgramTable {
 public:
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;

  std::uint32_t add(std::uint32_t shorter, std::int32_t word);
  // kEmpty if the n-gram is not there.
  std::uint32_t find(std::uint32_t shorter, std::int32_t word) const;
  std::size_t size() const { return lengths_.size(); }
  int length(std::uint32_t id) const { return lengths_[id]; }
  std::vector<std::int32_t> words(std::uint32_t id) const;

 private:
  static std::uint64_t key(std::uint32_t shorter, std::int32_t word) {
    return static_cast<std::uint64_t>(shorter) << 32 | static_cast<std::uint32_t>(word);
  }

  std::unordered_map<std::uint64_t, std::uint32_t> ids_;
  std::vector<std::uint32_t> shorter_;
  std::vector<std::int32_t> last_;
  std::vector<std::int8_t> lengths_;
};

struct NgramGraph {
  Hypergraph graph;                      // its shape alone: no words, no features
  std::vector<std::uint32_t> edges;      // of the original graph, for each edge
  std::vector<std::int64_t> offsets{0};  // [edges + 1] into `ngrams`
  std::vector<std::uint32_t> ngrams;     // of 1 to `order` words, as often as they are completed
  NgramTable table;

  std::span<const std::uint32_t> ngrams_of(std::uint32_t edge) const {
    return std::span(ngrams).subspan(offsets[edge], offsets[edge + 1] - offsets[edge]);
  }
};

// Throws Error when more than `max_edges` would be needed.
NgramGraph split_by_ngrams(const GraphView& graph, int order, std::size_t max_edges);

// How often a derivation has each n-gram of the table on average, where a derivation of score s
// weighs exp(s); `scores` are those of the original graph's edges.
std::vector<double> expected_ngrams(const NgramGraph& split, std::span<const double> scores);

}  // namespace tunesmith::graph
