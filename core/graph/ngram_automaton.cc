#include "graph/ngram_automaton.hh"

#include <algorithm>

namespace tunesmith::graph {

NgramAutomaton::NgramAutomaton(std::span<const metrics::NgramTries::Node> trie, int order)
    : trie_(trie.begin(), trie.end()),
      order_(order),
      parents_(trie.size(), kNothing),
      suffixes_(trie.size(), kNothing),
      depths_(trie.size(), 1),
      first_bits_(trie.size()) {
  // Beginnings stand before what they begin, so one pass sees every parent before its children.
  for (std::size_t ngram = 0; ngram < trie_.size(); ++ngram) {
    first_bits_[ngram] = bits();
    owners_.insert(owners_.end(), trie_[ngram].count, static_cast<std::int32_t>(ngram));
    for (std::uint32_t child = trie_[ngram].child; child != metrics::NgramTries::kMissing;
         child = trie_[child].next) {
      parents_[child] = static_cast<std::int32_t>(ngram);
      depths_[child] = depths_[ngram] + 1;
    }
    const std::int32_t parent = parents_[ngram];
    if (parent != kNothing) suffixes_[ngram] = longer(suffixes_[parent], trie_[ngram].symbol);
  }
}

std::int32_t NgramAutomaton::longer(std::int32_t ngram, std::uint32_t symbol) const {
  if (symbol == metrics::NgramTries::kMissing) return kNothing;
  if (ngram == kNothing) return static_cast<std::int32_t>(symbol);
  const std::uint32_t child =
      metrics::NgramTries::find_child(trie_.data(), static_cast<std::uint32_t>(ngram), symbol);
  return child == metrics::NgramTries::kMissing ? kNothing : static_cast<std::int32_t>(child);
}

std::int32_t NgramAutomaton::next(std::int32_t ngram, std::uint32_t symbol) const {
  for (;; ngram = suffixes_[ngram]) {
    const std::int32_t found = longer(ngram, symbol);
    if (found != kNothing || ngram == kNothing) return found;
  }
}

void NgramAutomaton::spell(std::int32_t ngram, std::vector<std::uint32_t>& symbols) const {
  symbols.clear();
  for (; ngram != kNothing; ngram = parents_[ngram]) symbols.push_back(trie_[ngram].symbol);
  std::reverse(symbols.begin(), symbols.end());
}

}  // namespace tunesmith::graph
