// An n-gram while n-grams are collected: the place of its context and its last word.
#pragma once

#include <cstdint>

#include "lm/model.hh"

namespace tunesmith::lm {

// The place of an n-gram that is not there.
constexpr std::uint32_t kNone = 0xFFFFFFFF;

inline std::uint64_t key_of(std::uint32_t context, WordId word) {
  return (static_cast<std::uint64_t>(context) << 32) | word;
}

}  // namespace tunesmith::lm
