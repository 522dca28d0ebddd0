// Splits compounds into words that the corpus has (Koehn & Knight 2003).
//
// Of all ways to cut a word into parts that are words themselves, with a filler such as the German
// "s" left out between two parts, the one with the highest geometric mean of the parts'
// frequencies is taken; the whole word with its own frequency is one of the ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"

namespace tunesmith::corpus {

class CompoundSplitter {
 public:
  // Longer words (in characters) stay whole: the time grows with the cube of the length.
  static constexpr std::size_t kLongest = 100;

  // `words` are distinct; parts have at least `min_length` characters.
  CompoundSplitter(const std::vector<std::string_view>& words,
                   const std::vector<std::uint64_t>& counts, std::vector<std::string> fillers,
                   int min_length);

  // The numbers of the parts in the order of `words`; empty when the word stays whole. Of equally
  // good ways the one with fewer parts is taken.
  std::vector<std::uint32_t> split(std::string_view word) const;

 private:
  StringIndex index_;
  std::vector<double> logs_;
  std::vector<std::string> fillers_;
  std::size_t min_length_;
};

}  // namespace tunesmith::corpus
