// The k-best derivations of a search graph, with or without derivations that yield the same words.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "decode/phrase/search_shape.hh"
#include "graph/kbest.hh"

namespace tunesmith::decode {

class PhraseKBest {
 public:
  // `distinct`: of the derivations with equal words only the best. The graph must outlive this.
  PhraseKBest(const PhraseModel& model, const SearchGraph& graph, bool distinct);

  // The edges of the k-th best derivation (from 0), first to last; false if there are fewer.
  bool derivation(std::size_t k, std::vector<std::uint32_t>& edges);

 private:
  class Yields final : public graph::EdgeYields {
   public:
    Yields(const PhraseModel& model, const SearchGraph& graph, const SearchShape& shape)
        : model_(model), graph_(graph), shape_(shape) {}
    graph::YieldHash yield(std::uint32_t edge,
                           std::span<const graph::YieldHash> tails) const override;

   private:
    const PhraseModel& model_;
    const SearchGraph& graph_;
    const SearchShape& shape_;
  };

  bool nothing_to_do_;  // a sentence of no words: one derivation of no edges
  std::optional<SearchShape> shape_;
  std::optional<Yields> yields_;
  std::optional<graph::KBest> list_;
};

}  // namespace tunesmith::decode
