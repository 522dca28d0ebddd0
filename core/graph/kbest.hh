// Exact k-best derivations of a hypergraph of any arity by lazy enumeration (Huang & Chiang 2005,
// Algorithm 3), with or without derivations that yield the same words.
//
// 1. A node's derivations are found best first. The first is known from Viterbi; a node that is
//    never asked for its second has no list.
// 2. A candidate is an edge with a rank for each tail. Of a derivation that has been found, the
//    successors raise one rank by one: the last that is not 0, or one behind it, so that every
//    candidate is made once.
// 3. Successors are made when the next derivation is asked for, not before.
// Where only distinct words count, every node lists the best derivation of each yield only; that
// is enough, because the best derivation of some words has the best derivations of their parts.
// Yields are compared by 64-bit hashes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_set>
#include <vector>

#include "graph/hypergraph.hh"
#include "graph/viterbi.hh"

namespace tunesmith::graph {

// A hash of a sequence of words that can be put together from those of its parts.
struct YieldHash {
  std::uint64_t hash = 0;
  std::uint64_t power = 1;  // what the words before it are multiplied with

  static YieldHash of_word(std::uint64_t word_hash);
  YieldHash then(const YieldHash& right) const;
};

// What an edge makes of the yields of its tails.
class EdgeYields {
 public:
  virtual ~EdgeYields() = default;
  virtual YieldHash yield(std::uint32_t edge, std::span<const YieldHash> tails) const = 0;
};

// The yields of a graph with words.
class WordYields final : public EdgeYields {
 public:
  explicit WordYields(const GraphView& graph) : graph_(graph) {}
  YieldHash yield(std::uint32_t edge, std::span<const YieldHash> tails) const override;

 private:
  GraphView graph_;
};

class KBest {
 public:
  // Scores of the edges; yields where only derivations of distinct words are wanted, otherwise
  // null. What is handed in must outlive this.
  KBest(const GraphView& graph, std::span<const double> scores, const EdgeYields* yields);

  // The k-th best derivation of the goal (from 0), its edges in post-order; false if there are
  // fewer.
  bool derivation(std::size_t k, std::vector<std::uint32_t>& edges, double* score = nullptr);

 private:
  struct Entry {
    double score = 0.0;
    std::uint32_t edge = 0;
    std::uint32_t ranks = 0;  // first in ranks_, one for each tail
    YieldHash text;
  };
  struct List {
    std::vector<Entry> found, heap;
    Entry last;                               // whose successors have not been offered yet …
    std::size_t raised = 0;                   // … from this tail on
    std::unordered_set<std::uint64_t> texts;  // of `found`, once it has grown long
  };
  struct Task {
    std::uint32_t node, rank;
  };

  bool lower(const Entry& a, const Entry& b) const;
  bool is_new(List& list, std::uint64_t text) const;
  List& list_of(std::uint32_t node);
  std::size_t known(std::uint32_t node) const {
    return lists_[node] ? lists_[node]->found.size() : 1;
  }
  bool exhausted(std::uint32_t node) const;
  double score_of(std::uint32_t node, std::uint32_t rank) const;
  YieldHash text_of(std::uint32_t node, std::uint32_t rank) const;
  Entry entry(std::uint32_t edge, std::uint32_t ranks);
  void push(List& list, const Entry& entry);
  bool reach(std::uint32_t node, std::uint32_t rank);
  bool offer_successors(List& list);

  GraphView graph_;
  std::span<const double> scores_;
  const EdgeYields* yields_;
  BestInside best_;
  std::vector<YieldHash> best_texts_;
  std::vector<std::unique_ptr<List>> lists_;
  std::vector<std::uint32_t> ranks_;
  std::vector<Task> tasks_;
  std::vector<YieldHash> tail_texts_;  // scratch
};

}  // namespace tunesmith::graph
