// Where the most frequent words of a text stand together with a gap between them (Lopez 2007): such
// pairs are in most inputs, and looking for them anew would take most of the time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/scfg/hiero_options.hh"

namespace tunesmith::grammar {

struct FrequentPairs {
  std::vector<std::uint32_t> words;  // ascending
  // By the left word, then the right word: where the places end, and how many there were before
  // they were thinned to `candidates`.
  std::vector<std::uint64_t> ends, totals;
  std::vector<std::uint32_t> begins;
  std::vector<std::uint8_t> seconds;
};

// Of a text of word ids plus 1 with a 0 behind each sentence; `counts` of the words.
FrequentPairs find_frequent_pairs(std::span<const std::uint32_t> text,
                                  std::span<const std::uint32_t> counts,
                                  const HieroOptions& options);

}  // namespace tunesmith::grammar
