// What decoders give back to Python.
#pragma once

#include <memory>
#include <vector>

#include "decode/translation.hh"
#include "graph/graph_pool.hh"

namespace tunesmith::bind {

// Translations of all sentences, one after the other, as arrays.
struct Translations {
  std::vector<decode::SentenceResult> sentences;
  int features = 0;
  graph::GraphPoolData graphs;  // where they were asked for, until they are fetched
  // Names of the sparse features of translations and of graphs, where only the output knows them.
  std::shared_ptr<StringIndex> sparse_names, graph_names;

  std::size_t count() const {
    std::size_t total = 0;
    for (const auto& sentence : sentences) total += sentence.translations.size();
    return total;
  }
  template <typename Visit>
  void each(Visit visit) const {
    for (const auto& sentence : sentences)
      for (const auto& translation : sentence.translations) visit(translation);
  }
};

}  // namespace tunesmith::bind
