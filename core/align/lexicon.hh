// Translation probabilities of both directions for the word pairs that occur together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/text.hh"

namespace tunesmith::align {

// Row e has the target words that occur in a sentence pair with source word e, in rising order:
// targets[rows[e]] … targets[rows[e + 1] − 1]. Both directions share the pairs.
struct LexiconView {
  std::span<const std::uint64_t> rows;
  std::span<const std::uint32_t> targets;
  std::span<const float> forward;       // t(f | e), parallel to targets
  std::span<const float> reverse;       // t(e | f), parallel to targets
  std::span<const float> null_forward;  // t(f | NULL), per target word
  std::span<const float> null_reverse;  // t(e | NULL), per source word
};

struct Lexicon {
  std::vector<std::uint64_t> rows;
  std::vector<std::uint32_t> targets;
  std::vector<float> forward, reverse, null_forward, null_reverse;

  std::uint32_t source_words() const { return static_cast<std::uint32_t>(null_reverse.size()); }
  std::uint32_t target_words() const { return static_cast<std::uint32_t>(null_forward.size()); }
  std::size_t pairs() const { return targets.size(); }
  LexiconView view() const { return {rows, targets, forward, reverse, null_forward, null_reverse}; }
};

// Where each source word occurs in the used pairs: tokens[rows[e]] … are positions in the array of
// source words, in rising order.
struct Occurrences {
  std::vector<std::uint64_t> rows;
  std::vector<std::uint64_t> tokens;
  std::vector<std::uint32_t> sentence;  // per source token
};

Occurrences find_occurrences(const PairView& text);

// The number of distinct word pairs per source word: what a lexicon will hold.
std::vector<std::uint64_t> count_pairs(const PairView& text, const Occurrences& occurrences,
                                       int threads);

// All pairs that occur together, with uniform probabilities.
Lexicon make_lexicon(const PairView& text, const Occurrences& occurrences,
                     std::span<const std::uint64_t> pair_counts, int threads);

// Drops pairs whose probability is below `threshold` in both directions.
void prune(Lexicon& lexicon, float threshold);

}  // namespace tunesmith::align
