// One direction of an alignment model: where a word may be aligned, given the lexicon.
#pragma once

#include <cstdint>
#include <vector>

#include "align/diagonal.hh"
#include "align/hmm.hh"
#include "align/jumps.hh"

namespace tunesmith::align {

enum class Positions {
  kUniform,   // IBM model 1
  kDiagonal,  // IBM model 2 as in fast_align
  kJumps,     // HMM
};

struct Direction {
  Positions positions = Positions::kUniform;
  double null_probability = 0.1;  // p0
  double tension = 4.0;           // λ of the diagonal
  JumpWeights jumps;
  double uniform_jumps = 0.05;  // weight of the uniform distribution among the jumps
};

struct DirectionCounts {
  explicit DirectionCounts(std::uint32_t reach = 0) : jumps(reach) {}
  JumpCounts jumps;
  DiagonalCounts diagonal;
  double null = 0.0, words = 0.0;  // words aligned to NULL, as expected, of all

  void add(const DirectionCounts& other);
};

// Scratch memory of one thread.
class DirectionSweep {
 public:
  // As HmmSweep::run, for any kind of positions; `counts` may be null.
  double run(const Direction& direction, const float* emission, const float* null, std::uint32_t n,
             std::uint32_t m, float* posterior, DirectionCounts* counts);

 private:
  double run_independent(const Direction& direction, const float* emission, const float* null,
                         std::uint32_t n, std::uint32_t m, float* posterior,
                         DirectionCounts* counts);

  HmmSweep hmm_;
  JumpTable jumps_;
  std::vector<float> prior_;
};

}  // namespace tunesmith::align
