// From the links of both directions to one set: Och and Ney (2003), Koehn et al. (2003).
#pragma once

#include <string_view>

#include "formats/pharaoh.hh"

namespace tunesmith::align {

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

struct Link {
  std::uint32_t source, target;
};

// One sentence pair; repeated links count once. Sorted by source, then target position.
std::vector<Link> symmetrise_pair(std::span<const Link> forward, std::span<const Link> reverse,
                                  Symmetrisation method);

// Both views have source-target links of the same sentence pairs. Throws OptionError when the
// numbers of pairs differ.
formats::LinkLists symmetrise(const formats::LinkView& forward, const formats::LinkView& reverse,
                              Symmetrisation method, int threads);

}  // namespace tunesmith::align
