// Sentence starts, for casing: which words of a text stand where a capital says nothing.
//
// The caller sorts the words of the vocabulary into kinds once, so that a pass over the text
// looks at no characters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::corpus {

enum class CasingRole : std::uint8_t {
  kLetters = 0,  // has something to case
  kOther = 1,    // numbers and punctuation inside a sentence
  kEnd = 2,      // . ? !  after which a sentence starts
  kOpening = 3,  // ( [ " '  which leave the start to the next word
};

// How often each word occurs where its casing is its own, not that of a sentence start.
// `kinds` has a CasingRole for each word of the vocabulary.
std::vector<std::uint64_t> count_inside(std::span<const std::uint64_t> offsets,
                                        std::span<const std::uint32_t> ids,
                                        std::span<const std::uint8_t> kinds);

// The text with every word at a sentence start replaced by at_start[word], every other by
// inside[word].
std::vector<std::uint32_t> replace_words(std::span<const std::uint64_t> offsets,
                                         std::span<const std::uint32_t> ids,
                                         std::span<const std::uint8_t> kinds,
                                         std::span<const std::uint32_t> at_start,
                                         std::span<const std::uint32_t> inside);

}  // namespace tunesmith::corpus
