// What white space depends on in a word: what stands at its edges, and what a quote does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace tunesmith::corpus {

// What stands at the edge of a word.
enum EdgeClass : std::uint8_t {
  kStart,  // of the line
  kEnd,
  kLetter,    // a word of one letter
  kLetters,   // a longer one
  kCapitals,  // a longer one without small letters
  kDigit,     // a number of one digit
  kDigits,    // a longer one
  kUnspaced,  // a letter of a script without spaces between words
  kOpening,
  kClosing,
  kWide,  // punctuation as wide as a Chinese character
  kCurrency,
  kSymbol  // any other mark
};

// The signs that are no marks, by their numbers; no mark has letters. First those of the classes
// of words, then words that begin or end with a mark, and an s before an apostrophe.
constexpr std::string_view kWordSigns[] = {"start",    "end", "a",  "ab", "AB", "1", "12",
                                           "unspaced", "'a",  "a'", "-a", "a-", "s"};
enum FixedSign : std::uint32_t {
  kApostropheFirst = kUnspaced + 1,
  kApostropheLast,
  kHyphenFirst,
  kHyphenLast,
  kLastS,
  kFirstMark
};

constexpr std::uint32_t kNoSign = 0xFFFFFF;  // of a mark that is not known

// A word as its neighbours see it: the number of its sign on each side (the same for a mark).
struct WordSign {
  std::uint32_t left = kNoSign, right = kNoSign;
  EdgeClass left_class = kSymbol, right_class = kSymbol;
  char32_t first = 0, last = 0;
  bool is_mark = false;
  char role = 0;  // of a quote: opening (o), closing (c) or single (s)
};

// `number` gives the number of a mark's sign: its characters and, for a quote, its role.
std::vector<WordSign> signs_of(std::span<const std::u32string_view> words,
                               const std::function<std::uint32_t(std::string_view)>& number);

// What stands at an edge of the words that have a sign; those of letters are one class.
EdgeClass class_of_sign(std::uint32_t number, std::string_view sign, bool left_edge);

bool is_apostrophe(char32_t c);
// Letters and marks of scripts that have no spaces between words.
bool is_of_unspaced_script(char32_t c);

}  // namespace tunesmith::corpus
