// How often each phrase pair of a corpus occurs: step 2 of build_table.hh.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grammar/aligned_corpus.hh"
#include "grammar/count_smoothing.hh"
#include "grammar/extract.hh"
#include "grammar/instances.hh"
#include "grammar/spilled_parts.hh"

namespace tunesmith::grammar {

// All occurrences of a phrase pair, represented by one with the most frequent links.
struct CountedPair {
  std::uint64_t source_key, target_key;
  std::uint32_t sentence;
  PhrasePair pair;
  std::uint32_t count;
  std::uint32_t previous[kOrientations], next[kOrientations];
};

// Bit (8 · source position + target position) of each link inside the pair.
std::uint64_t link_mask(const AlignedCorpus& corpus, std::uint32_t sentence,
                        const PhrasePair& pair);

// Counted pairs, on disk: part by part, in a part sorted by source key, then target key.
struct CountedPairs {
  CountedPairs(const std::string& beside, int corpora) : parts(beside) {
    if (corpora > 1) origins.emplace(beside);
  }

  SpilledParts<CountedPair> parts;
  // Of several corpora: how often each has the pair, corpus by corpus, in the order of the pairs.
  std::optional<SpilledParts<std::uint32_t>> origins;
  std::vector<std::uint64_t> first = std::vector<std::uint64_t>(kParts + 1, 0);  // of every part
  CountsOfCounts counts_of_counts;
  std::uint64_t instances = 0, pairs = 0;
};

// The instances are used up; counted pairs wait beside `path`.
CountedPairs count_pairs(const AlignedCorpus& corpus, Instances instances, const std::string& path,
                         int threads);

}  // namespace tunesmith::grammar
