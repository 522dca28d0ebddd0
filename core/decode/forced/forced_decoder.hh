// Forced decoding of many sentence pairs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "decode/forced/forced_search.hh"

namespace tunesmith::decode {

struct ForcedResult {
  GoldLattice lattice;  // without nodes and edges unless they are kept
  std::uint64_t nodes = 0, edges = 0;
};

// Bytes that the search of one pair takes at most, by the cap on its nodes. Edges are counted with
// four to a node, which is more than real text has on average.
std::uint64_t forced_memory(const ForcedOptions& options);

// Throws for links of another number of tables than the model's.
void check_links(const PhraseModel& model, const TrainingText& pairs);

// Searches all pairs on `threads` threads; `done(n)` is called as pairs are finished, from any
// thread.
std::vector<ForcedResult> force_pairs(const PhraseModel& model, const TrainingText& pairs,
                                      const ForcedOptions& options, bool keep, int threads,
                                      const std::function<void(std::size_t)>& done = {});

}  // namespace tunesmith::decode
