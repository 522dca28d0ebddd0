// Exact k-best derivations of a search graph by lazy enumeration (Huang & Chiang 2005,
// Algorithm 3), with or without derivations that yield the same words.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_set>
#include <vector>

#include "decode/phrase_search.hh"

namespace tunesmith {

class PhraseKBest {
 public:
  // `distinct`: of the derivations with equal words only the best. The graph must outlive this.
  PhraseKBest(const PhraseModel& model, const SearchGraph& graph, bool distinct);

  // The edges of the k-th best derivation (from 0), first to last; false if there are fewer.
  bool derivation(std::size_t k, std::vector<std::uint32_t>& edges);

 private:
  struct Entry {
    double score = 0.0;
    std::uint32_t edge = kNone;
    std::uint32_t rank = 0;  // which derivation of the edge's tail
    std::uint64_t text = 0;  // hash of the words so far
  };
  struct List {
    bool started = false;
    std::vector<Entry> found, heap;
    std::unordered_set<std::uint64_t> texts;  // of `found`, once it has grown long
  };

  bool reach(std::uint32_t state, std::size_t k);
  void offer(std::uint32_t state, std::uint32_t edge, std::uint32_t rank);
  bool is_new(List& list, std::uint64_t text);
  List& list_of(std::uint32_t state);

  const PhraseModel& model_;
  const SearchGraph& graph_;
  bool distinct_;
  // Most states are never asked, so a list is made when its state is.
  std::vector<std::unique_ptr<List>> lists_;
};

}  // namespace tunesmith
