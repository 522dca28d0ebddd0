// All distinct n-grams of a corpus, with their counts and with links to context and suffix.
//
// Order by order: the n-gram that ends at token i has the key (number of the (n−1)-gram that ends
// at token i − 1, token i), so one lookup per token and order in a hash table numbers them all.
// Lookups of different tokens do not depend on each other and are fetched ahead.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "lm/vocabulary.hh"

namespace tunesmith::lm {

struct OrderCounts {
  std::vector<std::uint32_t> context;  // places in the order below
  std::vector<WordId> word;
  std::vector<std::uint32_t> suffix;
  std::vector<std::uint32_t> count;  // occurrences
  std::vector<bool> at_begin;        // starts with <s>
  std::size_t size() const { return word.size(); }
};

// `tokens`: sentences that start with <s> and end with </s>. Returns one list per order; unigrams
// stand at their word ids, with <unk> and <s> counted 0 times. Unless it is 0, stops with an empty
// result when more than `memory` bytes would be needed. The numbering of the n-grams depends on
// `threads`, nothing else does.
std::vector<OrderCounts> count_ngrams(std::span<const WordId> tokens, WordId vocabulary_size,
                                      int order, int threads, std::uint64_t memory);

}  // namespace tunesmith::lm
