// The derivation of a graph with the highest w · h plus (or minus) BLEU: hope and fear of MIRA
// (Chiang et al. 2008), and the oracle.
//
// BLEU is no sum over edges. What is exact here are its counts: an item of a node is a set of
// derivations that no continuation can tell apart (the same n-gram state, the same length, the
// same reference n-grams used, clipped), with the best of them. Which items a node keeps is decided
// by a linear BLEU, a value for every match and every word; the caller then asks the true one which
// of the goal's items is best. With an unlimited beam the result is the true argmax. (Sets of
// n-grams are compared by 64-bit keys, the sums of random numbers of their members.)
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "graph/bleu_graph.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// What a count adds to a score.
struct LinearBleu {
  std::vector<double> match;  // [order] of a match of that order
  double word = 0.0;          // of a word of the hypothesis
};

class BleuSearch {
 public:
  // `beam`: the items that a node keeps; 0 keeps all.
  explicit BleuSearch(int beam)
      : beam_(beam > 0 ? static_cast<std::size_t>(beam) : std::numeric_limits<std::size_t>::max()) {
  }

  // Finds the items of the goal, best first by `scores` (of edges) plus the linear BLEU; of equals
  // the one of earlier edges. The graph must not be empty. All arguments must outlive the calls
  // below.
  void run(const GraphView& graph, const BleuGraph& bleu, std::span<const double> scores,
           const LinearBleu& gain);

  std::size_t size() const { return items_.size() - goal_; }
  // Σ scores of a goal item's derivation.
  double score(std::size_t i) const { return items_[goal_ + i].score; }
  // The metric's statistics of a goal item: [2 order + 2].
  void stats(std::size_t i, std::int32_t* out) const;
  // The edges of its derivation, tails before heads.
  void derivation(std::size_t i, std::vector<std::uint32_t>& edges) const;

 private:
  struct Item {
    double total;  // score + linear BLEU
    double score;
    std::uint64_t key;  // of its bits
    std::uint32_t state;
    std::int32_t length;
    std::uint32_t edge;
    std::uint32_t tails;  // in tails_
  };

  void try_edge(std::uint32_t edge, std::size_t first);
  // The item of an edge and items of its tails, if the node at hand wants it.
  void try_item(std::uint32_t edge, std::span<const std::uint32_t> tails, std::size_t first);
  // Puts an item among those of the node, from `first` on, best first.
  void insert(const Item& item, std::span<const std::uint32_t> tails, std::size_t first);
  // Makes room for the items' bits and fills them in.
  void close_node(std::size_t first);
  // target |= other, n-gram by n-gram up to its count; gives back the linear BLEU that is lost and
  // changes the key.
  double merge(std::uint64_t* target, const std::uint64_t* other, std::uint64_t& key) const;
  // The linear BLEU of the matches that are new to the bits; changes the key, and sets the bits if
  // asked to.
  double add_matches(std::span<const BleuGraph::Match> matches, const std::uint64_t* bits,
                     std::uint64_t* set, std::uint64_t& key) const;
  const std::uint64_t* bits_of(std::size_t item) const { return bits_.data() + item * words_; }

  std::size_t beam_;
  const GraphView* graph_ = nullptr;
  const BleuGraph* bleu_ = nullptr;
  const LinearBleu* gain_ = nullptr;
  std::span<const double> scores_;
  std::size_t words_ = 0;  // of an item's bits
  std::size_t goal_ = 0;   // the first item of the goal
  std::vector<Item> items_;
  std::vector<std::uint32_t> tails_;       // items
  std::vector<std::uint64_t> bits_;        // [items, words_]
  std::vector<std::uint32_t> node_items_;  // [nodes + 1]
  std::vector<std::uint32_t> choice_;
  std::vector<std::uint64_t> scratch_;
};

}  // namespace tunesmith::graph
