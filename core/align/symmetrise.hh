// From the links of both directions to one set: Och and Ney (2003), Koehn et al. (2003).
#pragma once

#include <string_view>

#include "formats/pharaoh.hh"

namespace tunesmith {

enum class Symmetrisation {
  kForward,
  kReverse,
  kIntersection,
  kUnion,
  kGrow,              // grow from the intersection to horizontal and vertical neighbours
  kGrowDiag,          // … and diagonal ones
  kGrowDiagFinal,     // … then links of either direction that cover an uncovered word
  kGrowDiagFinalAnd,  // … then links of either direction between two uncovered words
  kDiagAnd,           // the same, the last step over the union in order of positions
};

// Throws OptionError for a name that is none.
Symmetrisation symmetrisation_of(std::string_view name);

// Both views have source-target links of the same sentence pairs; repeated links count once.
// The result is sorted by source, then target position, per pair. Throws OptionError when the
// numbers of pairs differ.
LinkLists symmetrise(const LinkView& forward, const LinkView& reverse, Symmetrisation method,
                     int threads);

}  // namespace tunesmith
