#include "align/hmm.hh"

#include <algorithm>
#include <cmath>

// The inner loops are compiled for several instruction sets. None of them sums within a vector or
// fuses operations, so every version gives the same bits.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TUNESMITH_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define TUNESMITH_CLONES
#endif

namespace tunesmith {
namespace {

// A state with less than this share of a column's mass passes nothing on; far below what a float
// distinguishes in a posterior that is used.
constexpr float kNegligible = 1e-9F;

// out[i] += Σ_k in[k] · table[n − 1 − k + i] for the k whose share is not negligible.
TUNESMITH_CLONES void convolve(const float* __restrict in, const float* __restrict table,
                               float* __restrict out, std::uint32_t n, float threshold) {
  for (std::uint32_t k = 0; k < n; ++k) {
    const float x = in[k];
    if (x <= threshold) continue;
    const float* const row = table + (n - 1 - k);
    for (std::uint32_t i = 0; i < n; ++i) out[i] += x * row[i];
  }
}

// pairs[n − 1 − k + i] += from[k] · to[i] for the k whose share is not negligible.
TUNESMITH_CLONES void correlate(const float* __restrict from, const float* __restrict to,
                                float* __restrict pairs, std::uint32_t n, float threshold) {
  for (std::uint32_t k = 0; k < n; ++k) {
    const float x = from[k];
    if (x <= threshold) continue;
    float* const row = pairs + (n - 1 - k);
    for (std::uint32_t i = 0; i < n; ++i) row[i] += x * to[i];
  }
}

}  // namespace

double HmmSweep::run(const float* emission, const float* null, std::uint32_t m,
                     const JumpTable& jumps, const JumpWeights& weights, double null_probability,
                     float* posterior, JumpCounts* counts) {
  const std::uint32_t n = jumps.n;
  const auto p0 = static_cast<float>(null_probability);
  const float p1 = 1.0F - p0;
  const std::size_t cells = static_cast<std::size_t>(m) * n;
  alpha_.resize(std::max(alpha_.size(), cells));
  pre_.resize(std::max(pre_.size(), cells));
  start_.resize(m + 1ULL);
  scale_.resize(m);
  arrive_.resize(n);
  leave_.resize(n);

  double log_likelihood = 0.0;
  start_[0] = 1.0F;
  for (std::uint32_t j = 0; j < m; ++j) {
    const float* const t = emission + static_cast<std::size_t>(j) * n;
    float* const alpha = alpha_.data() + static_cast<std::size_t>(j) * n;
    float* const pre = pre_.data() + static_cast<std::size_t>(j) * n;
    const float stay = p0 * null[j];
    for (std::uint32_t i = 0; i < n; ++i) arrive_[i] = jumps.first[i] * start_[j];
    if (j > 0) {
      const float* const before = pre - n;
      float mass = 0.0F;
      for (std::uint32_t i = 0; i < n; ++i) {
        leave_[i] = before[i] * jumps.inverse[i];
        mass += before[i];
      }
      const float uniform = jumps.uniform * mass;
      for (std::uint32_t i = 0; i < n; ++i) arrive_[i] += uniform;
      convolve(leave_.data(), jumps.ahead.data(), arrive_.data(), n, kNegligible);
      for (std::uint32_t i = 0; i < n; ++i) pre[i] = stay * before[i];
    } else {
      std::fill_n(pre, n, 0.0F);
    }
    for (std::uint32_t i = 0; i < n; ++i) {
      alpha[i] = p1 * t[i] * arrive_[i];
      pre[i] += alpha[i];
    }
    float sum = stay * start_[j];
    for (std::uint32_t i = 0; i < n; ++i) sum += pre[i];
    const float scale = 1.0F / sum;
    for (std::uint32_t i = 0; i < n; ++i) {
      alpha[i] *= scale;
      pre[i] *= scale;
    }
    start_[j + 1] = stay * start_[j] * scale;
    scale_[j] = scale;
    log_likelihood += std::log(static_cast<double>(sum));
  }

  beta_.assign(n, 1.0F);
  next_.resize(n);
  if (counts != nullptr) {
    pairs_.assign(2ULL * n - 1, 0.0F);
    from_.assign(n, 0.0);
  }
  for (std::uint32_t j = m; j-- > 0;) {
    const float* const t = emission + static_cast<std::size_t>(j) * n;
    const float* const alpha = alpha_.data() + static_cast<std::size_t>(j) * n;
    float* const out = posterior + static_cast<std::size_t>(j) * n;
    for (std::uint32_t i = 0; i < n; ++i) out[i] = alpha[i] * beta_[i];
    // What arriving at i is worth.
    float largest = 0.0F, sum = 0.0F;
    const float emit = p1 * scale_[j];
    for (std::uint32_t i = 0; i < n; ++i) leave_[i] = emit * t[i] * beta_[i];
    for (std::uint32_t i = 0; i < n; ++i) {
      largest = std::max(largest, leave_[i]);
      sum += leave_[i];
    }
    if (counts != nullptr && start_[j] > kNegligible) {
      for (std::uint32_t i = 0; i < n; ++i) {
        const double count =
            static_cast<double>(start_[j]) * (jumps.first[i] - jumps.uniform) * leave_[i];
        const std::size_t bucket = std::min<std::size_t>(i, weights.reach + 1ULL);
        counts->first[bucket] += count;
        arrive_[i] = static_cast<float>(count);
      }
      double total = 0.0;
      for (std::uint32_t i = 0; i < n; ++i) total += arrive_[i];
      for (std::uint32_t i = 0; i < n; ++i)
        counts->first_mass[std::min<std::size_t>(i, weights.reach + 1ULL)] +=
            total / jumps.first_norm;
    }
    const float stay = p0 * null[j] * scale_[j];
    if (j > 0) {
      std::fill(next_.begin(), next_.end(), 0.0F);
      convolve(leave_.data(), jumps.back.data(), next_.data(), n, largest * kNegligible);
      const float* const before = pre_.data() + static_cast<std::size_t>(j - 1) * n;
      for (std::uint32_t i = 0; i < n; ++i) next_[i] *= jumps.inverse[i];
      if (counts != nullptr) {
        for (std::uint32_t i = 0; i < n; ++i) from_[i] += static_cast<double>(before[i]) * next_[i];
        for (std::uint32_t i = 0; i < n; ++i) arrive_[i] = before[i] * jumps.inverse[i];
        correlate(arrive_.data(), leave_.data(), pairs_.data(), n, kNegligible);
      }
      const float uniform = jumps.uniform * sum;
      for (std::uint32_t i = 0; i < n; ++i) next_[i] += uniform + stay * beta_[i];
      beta_.swap(next_);
    }
  }
  if (counts != nullptr && m > 1) {
    for (std::size_t k = 0; k < 2ULL * n - 1; ++k) {
      const std::int64_t d = static_cast<std::int64_t>(k) - (static_cast<std::int64_t>(n) - 1);
      counts->jump[weights.bucket(d)] += static_cast<double>(pairs_[k]) * jumps.ahead[k];
    }
    // Σ_i C_i / norm_i over the i from which a jump by d stays inside, for every d: running sums
    // from both ends. inverse_i is (1 − mixture) / norm_i; the factor cancels with C's.
    const double share = 1.0 - static_cast<double>(jumps.uniform) * n;
    double low = 0.0;
    for (std::uint32_t i = 0; i < n; ++i) {
      low += from_[i] * jumps.inverse[i] / share;
      counts->jump_mass[weights.bucket(static_cast<std::int64_t>(n) - 1 - i)] += low;
    }
    double high = 0.0;
    for (std::uint32_t i = n; i-- > 1;) {
      high += from_[i] * jumps.inverse[i] / share;
      counts->jump_mass[weights.bucket(-static_cast<std::int64_t>(i))] += high;
    }
  }
  return log_likelihood;
}

}  // namespace tunesmith
