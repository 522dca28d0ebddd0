// Links of a text under a trained model.
#pragma once

#include <optional>

#include "align/direction.hh"
#include "align/lexicon.hh"
#include "align/symmetrise.hh"

namespace tunesmith::align {

struct LinkOptions {
  // How the directions' links are joined; without a value: all links whose probability, the
  // geometric mean of both directions' posteriors, exceeds `threshold`.
  std::optional<Symmetrisation> symmetrisation;
  double threshold = 0.5;
  int threads = 0;
};

// One list per sentence pair, empty where a side is empty or longer than text.max_length. In each
// direction a word is linked to where its posterior is highest, NULL included. The probability of a
// link is the geometric mean of both directions' posteriors.
formats::LinkLists align(const PairView& text, const LexiconView& lexicon, const Direction& forward,
                         const Direction& reverse, const LinkOptions& options);

}  // namespace tunesmith::align
