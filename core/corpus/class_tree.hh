// Classes into a binary tree: again and again the two whose union costs least mutual information
// become one (Brown et al. 1992, §3).
#pragma once

#include <string>
#include <vector>

#include "corpus/class_counts.hh"

namespace tunesmith::corpus {

// The path from the root to each of the first `mergeable` classes: 0 is the side with more text.
// The other classes are neighbours and never merged. O(mergeable³) in time, O(mergeable²) in
// memory. A single class has the path "0".
std::vector<std::string> class_paths(const ClassCounts& counts, std::uint32_t mergeable,
                                     const CountEntropy& h, int threads);

}  // namespace tunesmith::corpus
