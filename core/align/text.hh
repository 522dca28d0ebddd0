// Parallel text as the aligner sees it: word ids in two plain arrays per side.
#pragma once

#include <cstdint>
#include <span>

namespace tunesmith::align {

// Sentence s is words[offsets[s]] … words[offsets[s + 1] − 1]; ids are below `vocabulary`, or
// kUnknownWord for a word that a trained model has not seen.
struct TextView {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> words;
  std::uint32_t vocabulary = 0;

  std::size_t size() const { return offsets.size() - 1; }
  std::uint32_t length(std::size_t s) const {
    return static_cast<std::uint32_t>(offsets[s + 1] - offsets[s]);
  }
  std::span<const std::uint32_t> operator[](std::size_t s) const {
    return words.subspan(offsets[s], offsets[s + 1] - offsets[s]);
  }
};

constexpr std::uint32_t kUnknownWord = 0xFFFFFFFF;

struct PairView {
  TextView source, target;
  // Pairs with a longer side take no part: the work grows with the square or cube of the length.
  std::uint32_t max_length = 0;

  std::size_t size() const { return source.size(); }
  bool used(std::size_t s) const {
    const std::uint32_t n = source.length(s), m = target.length(s);
    return n > 0 && m > 0 && n <= max_length && m <= max_length;
  }
};

}  // namespace tunesmith::align
