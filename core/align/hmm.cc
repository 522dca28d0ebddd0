#include "align/hmm.hh"

#include <algorithm>
#include <cmath>

#include "align/matrix.hh"

namespace tunesmith::align {
namespace {

// A state with less than this share of a row's mass passes nothing on by jumps of its own. The
// uniform part of the jumps, which loses nothing, gives every state far more than that.
constexpr float kNegligible = 1e-7F;

// out[i] += Σ_k in[k] · table[n − 1 − k + i] for the k that matter.
TUNESMITH_INLINE void convolve(const float* __restrict in, const float* __restrict table,
                               float* __restrict out, std::uint32_t n, std::uint32_t size,
                               float threshold) {
  for (std::uint32_t k = 0; k < n; ++k) {
    const float x = in[k];
    if (x <= threshold) continue;
    const float* const row = table + (n - 1 - k);
    for (std::uint32_t i = 0; i < size; ++i) out[i] += x * row[i];
  }
}

// pairs[n − 1 − k + i] += from[k] · to[i] for the k that matter.
TUNESMITH_INLINE void correlate(const float* __restrict from, const float* __restrict to,
                                float* __restrict pairs, std::uint32_t n, std::uint32_t size,
                                float threshold) {
  for (std::uint32_t k = 0; k < n; ++k) {
    const float x = from[k];
    if (x <= threshold) continue;
    float* const row = pairs + (n - 1 - k);
    for (std::uint32_t i = 0; i < size; ++i) row[i] += x * to[i];
  }
}

// One word forward. `before` is null at the first word; returns Σ of the row before scaling.
TUNESMITH_CLONES float advance(const float* __restrict t, const float* __restrict before,
                               const JumpTable& jumps, float p0, float null, float start,
                               float* __restrict alpha, float* __restrict pre,
                               float* __restrict arrive, float* __restrict leave) {
  const std::uint32_t size = padded(jumps.n);
  const float* const first = jumps.first.data();
  const float stay = p0 * null, go = 1.0F - p0;
  if (before != nullptr) {
    const float* const inverse = jumps.inverse.data();
    const float uniform = jumps.uniform * lane_sum(before, size);
    for (std::uint32_t i = 0; i < size; ++i) leave[i] = before[i] * inverse[i];
    for (std::uint32_t i = 0; i < size; ++i) arrive[i] = first[i] * start + uniform;
    convolve(leave, jumps.ahead.data(), arrive, jumps.n, size, kNegligible);
    for (std::uint32_t i = 0; i < size; ++i) {
      alpha[i] = go * t[i] * arrive[i];
      pre[i] = alpha[i] + stay * before[i];
    }
  } else {
    for (std::uint32_t i = 0; i < size; ++i) pre[i] = alpha[i] = go * t[i] * (first[i] * start);
  }
  const float sum = lane_sum(pre, size) + stay * start;
  const float scale = 1.0F / sum;
  for (std::uint32_t i = 0; i < size; ++i) {
    alpha[i] *= scale;
    pre[i] *= scale;
  }
  return sum;
}

// What arriving at each position with this word is worth.
TUNESMITH_CLONES void worth(const float* __restrict t, const float* __restrict beta, float factor,
                            float* __restrict leave, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) leave[i] = factor * t[i] * beta[i];
}

// One word back: next = the value of each position before the word. With `from`, also the expected
// jumps from each position, and `pairs` (see HmmSweep).
TUNESMITH_CLONES void retreat(const float* __restrict leave, const float* __restrict beta,
                              const float* __restrict before, const JumpTable& jumps, float stay,
                              float* __restrict next, float* __restrict share,
                              float* __restrict from, float* __restrict pairs) {
  const std::uint32_t size = padded(jumps.n);
  const float* const inverse = jumps.inverse.data();
  std::fill_n(next, size, 0.0F);
  convolve(leave, jumps.back.data(), next, jumps.n, size, lane_max(leave, size) * kNegligible);
  for (std::uint32_t i = 0; i < size; ++i) next[i] *= inverse[i];
  if (from != nullptr) {
    for (std::uint32_t i = 0; i < size; ++i) {
      from[i] += before[i] * next[i];
      share[i] = before[i] * inverse[i];
    }
    correlate(share, leave, pairs, jumps.n, size, kNegligible);
  }
  const float uniform = jumps.uniform * lane_sum(leave, size);
  for (std::uint32_t i = 0; i < size; ++i) next[i] += uniform + stay * beta[i];
}

TUNESMITH_CLONES void multiply(const float* __restrict a, const float* __restrict b,
                               float* __restrict out, std::uint32_t size) {
  for (std::uint32_t i = 0; i < size; ++i) out[i] = a[i] * b[i];
}

}  // namespace

double HmmSweep::run(const float* emission, const float* null, std::uint32_t m,
                     const JumpTable& jumps, const JumpWeights& weights, double null_probability,
                     float* posterior, JumpCounts* counts) {
  const std::uint32_t n = jumps.n, size = padded(n);
  const auto p0 = static_cast<float>(null_probability);
  const auto row = [size](auto* matrix, std::uint32_t j) {
    return matrix + static_cast<std::size_t>(j) * size;
  };
  const std::size_t cells = static_cast<std::size_t>(m) * size;
  alpha_.resize(std::max(alpha_.size(), cells));
  pre_.resize(std::max(pre_.size(), cells));
  start_.resize(m + 1ULL);
  scale_.resize(m);
  for (auto* buffer : {&arrive_, &leave_, &next_}) buffer->resize(size);

  double log_likelihood = 0.0;
  start_[0] = 1.0F;
  for (std::uint32_t j = 0; j < m; ++j) {
    const float sum = advance(row(emission, j), j > 0 ? row(pre_.data(), j - 1) : nullptr, jumps,
                              p0, null[j], start_[j], row(alpha_.data(), j), row(pre_.data(), j),
                              arrive_.data(), leave_.data());
    scale_[j] = 1.0F / sum;
    start_[j + 1] = p0 * null[j] * start_[j] * scale_[j];
    log_likelihood += std::log(static_cast<double>(sum));
  }

  beta_.assign(size, 1.0F);
  if (counts != nullptr) {
    pairs_.assign(2ULL * size, 0.0F);
    from_.assign(size, 0.0F);
    first_.assign(size, 0.0F);
  }
  for (std::uint32_t j = m; j-- > 0;) {
    multiply(row(alpha_.data(), j), beta_.data(), row(posterior, j), size);
    worth(row(emission, j), beta_.data(), (1.0F - p0) * scale_[j], leave_.data(), size);
    if (counts != nullptr && start_[j] > kNegligible)
      for (std::uint32_t i = 0; i < n; ++i)
        first_[i] += start_[j] * (jumps.first[i] - jumps.uniform) * leave_[i];
    if (j == 0) break;
    retreat(leave_.data(), beta_.data(), row(pre_.data(), j - 1), jumps, p0 * null[j] * scale_[j],
            next_.data(), arrive_.data(), counts != nullptr ? from_.data() : nullptr,
            pairs_.data());
    beta_.swap(next_);
  }
  if (counts != nullptr) count_jumps(jumps, weights, *counts);
  return log_likelihood;
}

void HmmSweep::count_jumps(const JumpTable& jumps, const JumpWeights& weights,
                           JumpCounts& counts) const {
  const std::uint32_t n = jumps.n;
  const auto last = static_cast<std::int64_t>(n) - 1;
  for (std::int64_t k = 0; k <= 2 * last; ++k) {
    const auto at = static_cast<std::size_t>(k);
    counts.jump[weights.bucket(k - last)] += static_cast<double>(pairs_[at]) * jumps.ahead[at];
  }
  // Σ_i C_i / norm_i over the i from which a jump by d stays inside, for every d: running sums from
  // both ends. `inverse` is (1 − mixture) / norm_i; `share` takes the factor out again.
  const double share = 1.0 - static_cast<double>(jumps.uniform) * n;
  double low = 0.0, high = 0.0;
  for (std::uint32_t i = 0; i < n; ++i) {
    low += static_cast<double>(from_[i]) * jumps.inverse[i] / share;
    counts.jump_mass[weights.bucket(last - i)] += low;
  }
  for (std::uint32_t i = n; i-- > 1;) {
    high += static_cast<double>(from_[i]) * jumps.inverse[i] / share;
    counts.jump_mass[weights.bucket(-static_cast<std::int64_t>(i))] += high;
  }
  double total = 0.0;
  for (std::uint32_t i = 0; i < n; ++i) total += first_[i];
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::size_t bucket = std::min<std::size_t>(i, weights.reach + 1ULL);
    counts.first[bucket] += first_[i];
    counts.first_mass[bucket] += total / jumps.first_norm;
  }
}

}  // namespace tunesmith::align
