// What the tokeniser asks of a character. The sets are data, handed in by the caller.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::corpus {

class CharacterClasses {
 public:
  enum Class : std::uint8_t {
    kAlnum = 1,    // part of a word
    kNumber = 2,   // a comma between two of these stays
    kAlpha = 4,    // a letter, for apostrophes and abbreviations
    kLower = 8,    // a full stop before one does not end a sentence
    kSpace = 16,   // white space as Python's str.split() takes it, and that of no width
    kExtend = 32,  // a mark or joiner that belongs to the character before it
  };

  CharacterClasses() : flags_(0x110000) {
    for (const char32_t space :
         {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x1C,   0x1D,   0x1E,   0x1F,   0x20,   0x85,
          0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008,
          0x2009, 0x200A, 0x200B, 0x2028, 0x2029, 0x202F, 0x205F, 0x2060, 0x3000, 0xFEFF})
      flags_[space] |= kSpace;
  }

  void set(Class flag, std::span<const std::uint32_t> points) {
    for (const std::uint32_t point : points)
      if (point < flags_.size()) flags_[point] |= flag;
  }

  // Nothing is true of a number beyond Unicode.
  bool is(char32_t point, int flags) const {
    return point < flags_.size() && (flags_[point] & flags) != 0;
  }

 private:
  std::vector<std::uint8_t> flags_;
};

}  // namespace tunesmith::corpus
