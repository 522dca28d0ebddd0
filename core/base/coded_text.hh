// Tokenised sentences as ids of a vocabulary, in arrays that belong to somebody else.
#pragma once

#include <cstdint>
#include <span>

#include "base/string_index.hh"

namespace tunesmith {

struct CodedText {
  const StringIndex& vocabulary;
  std::span<const std::uint64_t> offsets;  // one more than sentences
  std::span<const std::uint32_t> ids;

  std::size_t sentences() const { return offsets.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t s) const {
    return ids.subspan(offsets[s], offsets[s + 1] - offsets[s]);
  }
  // Throws OptionError unless offsets rise from 0 to the number of ids and these are the
  // vocabulary's.
  void check() const;
};

}  // namespace tunesmith
