// The n-grams of a sentence's references as an automaton: which of them end here (Aho & Corasick
// 1975), and a bit for every time that one may match.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/ngram_tries.hh"

namespace tunesmith::graph {

// N-grams are numbers of the trie; what is in it is there with all its parts, so the longest
// n-gram that ends at a place says which shorter ones end there too: its suffixes.
class NgramAutomaton {
 public:
  static constexpr std::int32_t kNothing = -1;

  NgramAutomaton(std::span<const metrics::NgramTries::Node> trie, int order);

  int order() const { return order_; }
  // The number of its words.
  int depth(std::int32_t ngram) const { return ngram == kNothing ? 0 : depths_[ngram]; }
  // The n-gram without its first word.
  std::int32_t suffix(std::int32_t ngram) const { return suffixes_[ngram]; }
  // The n-gram and one more word, kNothing if the references do not have that.
  std::int32_t longer(std::int32_t ngram, std::uint32_t symbol) const;
  // The longest end of the n-gram and one more word that the references have.
  std::int32_t next(std::int32_t ngram, std::uint32_t symbol) const;
  // The longest end that a later word can make longer still.
  std::int32_t context(std::int32_t ngram) const {
    return depth(ngram) < order_ ? ngram : suffix(ngram);
  }
  // The symbols of an n-gram; replaces the content of `symbols`.
  void spell(std::int32_t ngram, std::vector<std::uint32_t>& symbols) const;

  // An n-gram may match `count` times, and has as many bits from `first_bit` on: the first m of
  // them are set when it has matched m times.
  int count(std::int32_t ngram) const { return trie_[ngram].count; }
  std::uint32_t first_bit(std::int32_t ngram) const { return first_bits_[ngram]; }
  std::uint32_t bits() const { return static_cast<std::uint32_t>(owners_.size()); }
  // The n-gram of a bit.
  std::int32_t owner(std::uint32_t bit) const { return owners_[bit]; }

 private:
  std::vector<metrics::NgramTries::Node> trie_;
  int order_;
  std::vector<std::int32_t> parents_, suffixes_, depths_;
  std::vector<std::uint32_t> first_bits_;
  std::vector<std::int32_t> owners_;
};

}  // namespace tunesmith::graph
