// Which words stand next to which in a text, and how often.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::corpus {

// The distinct neighbours of word w are words[offsets[w]] … words[offsets[w + 1] − 1], ascending;
// counts has how often each is one.
struct Neighbours {
  std::vector<std::uint64_t> offsets;
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> counts;
};

enum class Side { kLeft, kRight };

// The left or right neighbours of all words with ids below `words`. Sentence i of the text is
// ids[sentences[i]] … ids[sentences[i + 1] − 1]; beyond its first and last word stands the word
// `boundary`. All ids, `boundary` too, are below `words`.
Neighbours find_neighbours(std::span<const std::uint64_t> sentences,
                           std::span<const std::uint32_t> ids, std::uint32_t words,
                           std::uint32_t boundary, Side side, int threads);

}  // namespace tunesmith::corpus
