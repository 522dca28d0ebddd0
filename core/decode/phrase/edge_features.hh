// The feature values of one edge of a search graph, all of them: what its rule is worth, and what
// its place after its tail is worth to distortion, reordering and language models.
#pragma once

#include "decode/phrase/phrase_search.hh"

namespace tunesmith::decode {

// features += h(edge); sparse features go behind what `sparse` has, in no order. A state holds all
// that these values depend on, so every derivation of the graph has the sum of its edges' values,
// under whatever weights it was searched.
void add_edge_features(const PhraseModel& model, const SearchGraph& graph, std::uint32_t edge,
                       double* features, SparseVector& sparse);

}  // namespace tunesmith::decode
