// What a character is, by Unicode's general categories.
#pragma once

#include <cstdint>

namespace tunesmith {

enum class CharacterKind : std::uint8_t {
  kNone,         // marks (M), separators (Z), the rest (C): part of a word, but not what it is
  kPunctuation,  // punctuation (P) and symbols (S)
  kDigit,        // numbers (N)
  kLetter,       // letters (L) but for
  kIdeograph     // those that Unicode calls ideographs
};

// The version of Unicode is fixed, so that a feature is the same on every machine.
CharacterKind character_kind(char32_t point);

}  // namespace tunesmith
