// Learning on the training text needs rules that do not come from the pair they are used for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tunesmith::grammar {

// Sentence pairs of the corpus that do not count.
struct LeftOut {
  std::int64_t pair = -1;                 // this one
  std::span<const std::uint8_t> pairs{};  // those that are not 0 here; empty: none

  bool any() const { return pair >= 0 || !pairs.empty(); }
  bool operator()(std::size_t sentence) const {
    return static_cast<std::int64_t>(sentence) == pair ||
           (sentence < pairs.size() && pairs[sentence] != 0);
  }
};

}  // namespace tunesmith::grammar
