// Forward–backward for the HMM alignment model (Vogel et al., 1996) with a NULL word.
//
// Words of the observed side, f_0 … f_{m−1}, are emitted in order. Word j is aligned to position i
// of the given side with probability (1 − p0) · p(i | i', n), where i' is the last position that
// was aligned, or to NULL with probability p0, which leaves i' as it is (Och and Ney, 2003,
// sec. 2.1.1). So there are two states per position, "at i" and "NULL after i", but the future
// depends on i only:
//
//   arrive_j(i) = Σ_i' pre_{j−1}(i') p(i | i', n)
//   alpha_j(i)  = (1 − p0) t(f_j | e_i) arrive_j(i)
//   pre_j(i)    = alpha_j(i) + p0 t(f_j | NULL) pre_{j−1}(i)
//   beta_{j−1}(i) = p0 t(f_j | NULL) beta_j(i) + Σ_i' p(i' | i, n) (1 − p0) t(f_j | e_i')
//   beta_j(i')
//
// and one more state "NULL before any position". Columns are scaled to sum to 1.
#pragma once

#include <cstdint>
#include <vector>

#include "align/jumps.hh"

namespace tunesmith::align {

class HmmSweep {
 public:
  // Rows are padded (matrix.hh): with s = padded(n), emission[j·s + i] = t(f_j | e_i) > 0 and 0 in
  // the padding, null[j] = t(f_j | NULL). Writes p(a_j = i | f, e) to posterior[j·s + i]; what a
  // row lacks to 1 is the probability of NULL. Adds to `counts` unless it is null. Returns ln p(f |
  // e).
  double run(const float* emission, const float* null, std::uint32_t m, const JumpTable& jumps,
             const JumpWeights& weights, double null_probability, float* posterior,
             JumpCounts* counts);

 private:
  void count_jumps(const JumpTable& jumps, const JumpWeights& weights, JumpCounts& counts) const;

  std::vector<float> alpha_, pre_;    // m rows
  std::vector<float> start_, scale_;  // per word
  std::vector<float> arrive_, leave_, beta_, next_;
  std::vector<float> pairs_;         // Σ_j leave · arrive, per jump; without the jump's weight
  std::vector<float> from_, first_;  // expected jumps from each position; first positions
};

}  // namespace tunesmith::align
