// How well the sides of sentence pairs translate each other under a trained model.
#pragma once

#include <vector>

#include "align/direction.hh"
#include "align/lexicon.hh"

namespace tunesmith::align {

struct PairScores {
  std::vector<double> forward;         // ln p(target | source), one per pair
  std::vector<double> reverse;         // ln p(source | target)
  std::vector<std::uint32_t> missing;  // source words that are most probably linked to nothing
};

// Pairs with an empty side: every word of the other is linked to NULL. Pairs with a side longer
// than text.max_length are scored as the others.
PairScores score_pairs(const PairView& text, const LexiconView& lexicon, const Direction& forward,
                       const Direction& reverse, int threads);

}  // namespace tunesmith::align
