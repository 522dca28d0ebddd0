// One EM iteration over sentence pairs, for any kind of positions, both directions at once.
#pragma once

#include "align/block.hh"
#include "align/direction.hh"
#include "align/ibm1.hh"

namespace tunesmith::align {

// E-step with the lexicon and directions as they are, then M-step on all of them. Expected counts
// are kept as integers, in units of 2^−32, so their sums do not depend on the order of adding.
LogLikelihood em_step(const PairView& text, Lexicon& lexicon, Direction& forward,
                      Direction& reverse, const StepOptions& options);

}  // namespace tunesmith::align
