// One EM iteration over sentence pairs, for any kind of positions, both directions at once.
#pragma once

#include "align/block.hh"
#include "align/direction.hh"
#include "align/ibm1.hh"

namespace tunesmith::align {

// An E-step and an M-step. The E-step over some blocks of sentences gives plain counts, wherever it
// is done; the M-step takes those of all blocks. Counts of word pairs are integers, in units of
// 2^−32, so their sums do not depend on the order of adding; what is not is kept by block and
// summed in the order of the blocks. So the result depends neither on threads nor on how the blocks
// are shared out.

// What the E-step found in one block.
struct BlockCounts {
  LogLikelihood likelihood;
  DirectionCounts forward, reverse;
};

// What it found in all blocks of a shard.
struct ExpectedCounts {
  std::vector<std::uint64_t> forward;  // by place in the lexicon; of both where directions agree
  std::vector<std::uint64_t> reverse;
  std::vector<std::uint64_t> null_forward, null_reverse;  // by word
  std::vector<BlockCounts> blocks;
};

// The E-step with the lexicon and directions as they are, over blocks [first, last) of
// cut_into_blocks(text).
ExpectedCounts expect(const PairView& text, const Lexicon& lexicon, const Direction& forward,
                      const Direction& reverse, const StepOptions& options, std::size_t first,
                      std::size_t last);

// The M-step on all of them; `shards` are in the order of their blocks, and are used up.
LogLikelihood maximise(std::vector<ExpectedCounts> shards, const StepOptions& options,
                       Lexicon& lexicon, Direction& forward, Direction& reverse);

}  // namespace tunesmith::align
