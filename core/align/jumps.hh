// The HMM's jump distribution (Vogel et al., 1996): p(i' | i, n) ∝ s(i' − i) over the n positions,
// mixed with the uniform distribution.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::align {

// Weights s(d) for −reach ≤ d ≤ reach, with one more on each side that all longer jumps share; and
// weights of the first aligned position, the last of which all later positions share.
struct JumpWeights {
  std::uint32_t reach = 0;
  std::vector<float> jump;   // 2·reach + 3, index d + reach + 1
  std::vector<float> first;  // reach + 2, index i

  // Falling slowly with the distance from "one forward".
  static JumpWeights initial(std::uint32_t reach);

  std::size_t bucket(std::int64_t d) const {
    const auto limit = static_cast<std::int64_t>(reach) + 1;
    return static_cast<std::size_t>((d < -limit ? -limit : d > limit ? limit : d) + limit);
  }
};

// Expected counts of a set of sentences, and Σ C_i / norm_i over the places from which a jump was
// possible: with both, s ← count / mass never lowers the likelihood (Hunter, 2004).
struct JumpCounts {
  std::vector<double> jump, jump_mass, first, first_mass;

  explicit JumpCounts(std::uint32_t reach = 0)
      : jump(2ULL * reach + 3),
        jump_mass(2ULL * reach + 3),
        first(reach + 2ULL),
        first_mass(reach + 2ULL) {}
  void add(const JumpCounts& other);
};

// One step of minorise–maximise. A jump that was nowhere possible keeps its weight.
void update(JumpWeights& weights, const JumpCounts& counts);

// The weights for one sentence length n, ready for the inner loops: padded with zeros (matrix.hh).
struct JumpTable {
  // s(d) at [n − 1 + d], and the same backwards.
  std::vector<float> ahead, back;
  std::vector<float> inverse;  // (1 − uniform) / norm_i
  std::vector<float> first;    // p(first position), mixed with the uniform distribution
  double first_norm = 0.0;
  float uniform = 0.0F;  // the uniform share of each position: mixture weight / n
  std::uint32_t n = 0;

  void set(const JumpWeights& weights, std::uint32_t n, double uniform);
};

}  // namespace tunesmith::align
