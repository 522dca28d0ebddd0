// Levenshtein distance, 64 cells of a column at a time (Myers 1999; in blocks: Hyyrö 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::metrics {

// One column of the matrix: the differences between neighbouring cells as two sets of bits.
struct EditColumn {
  std::uint64_t plus = ~std::uint64_t{0};  // cells one above their upper neighbour
  std::uint64_t minus = 0;                 // cells one below

  // Moves 64 cells on by one symbol; `equal`: the cells whose symbol it is. `plus_in`, `minus_in`:
  // the horizontal difference above the block. Gives the horizontal differences of all its cells.
  struct Step {
    std::uint64_t plus, minus;
  };
  Step advance(std::uint64_t equal, std::uint64_t plus_in, std::uint64_t minus_in) {
    const std::uint64_t vertical = equal | minus;
    equal |= minus_in;
    const std::uint64_t horizontal = (((equal & plus) + plus) ^ plus) | equal;
    const Step step{minus | ~(horizontal | plus), plus & horizontal};
    const std::uint64_t plus_down = step.plus << 1 | plus_in;
    const std::uint64_t minus_down = step.minus << 1 | minus_in;
    plus = minus_down | ~(vertical | plus_down);
    minus = plus_down & vertical;
    return step;
  }
};

// References whose symbols' places are known, so that a hypothesis takes one step per symbol and
// block. References are numbered in the order of adding.
class EditPatterns {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  // Symbols are numbered from 0 to `symbols` − 1.
  void add(std::span<const std::uint32_t> reference, std::uint32_t symbols);

  std::int32_t length(std::size_t reference) const { return patterns_[reference].length; }

  // Insertions, deletions and substitutions between the two. A symbol may be kMissing.
  std::int32_t distance(std::size_t reference, std::span<const std::uint32_t> hypothesis) const;

 private:
  struct Pattern {
    std::uint64_t first;  // in places_
    std::int32_t length;
    std::uint32_t blocks;
  };
  std::vector<Pattern> patterns_;
  std::vector<std::uint64_t> places_;  // [symbol][block]: bit i of block b: position 64 b + i
};

}  // namespace tunesmith::metrics
