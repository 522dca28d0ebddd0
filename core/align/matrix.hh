// Rows of floats padded with zeros to whole vectors, and sums whose order no compiler changes.
#pragma once

#include <cstdint>

// Inner loops are compiled for several instruction sets. Sums go by lanes in a fixed order and
// nothing is fused, so every version gives the same bits.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TUNESMITH_CLONES __attribute__((target_clones("default", "avx2")))
#define TUNESMITH_INLINE inline __attribute__((always_inline))
#else
#define TUNESMITH_CLONES
#define TUNESMITH_INLINE inline
#endif

namespace tunesmith::align {

constexpr std::uint32_t kLanes = 8;

// The length of a padded row of n numbers.
constexpr std::uint32_t padded(std::uint32_t n) { return (n + kLanes - 1) / kLanes * kLanes; }

// Σ x_i over a padded row.
TUNESMITH_INLINE float lane_sum(const float* x, std::uint32_t size) {
  float sums[kLanes] = {};
  for (std::uint32_t i = 0; i < size; i += kLanes)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane) sums[lane] += x[i + lane];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

// max x_i over a padded row of numbers that are not negative.
TUNESMITH_INLINE float lane_max(const float* x, std::uint32_t size) {
  float largest[kLanes] = {};
  for (std::uint32_t i = 0; i < size; i += kLanes)
    for (std::uint32_t lane = 0; lane < kLanes; ++lane)
      largest[lane] = x[i + lane] > largest[lane] ? x[i + lane] : largest[lane];
  float out = 0.0F;
  for (const float each : largest) out = each > out ? each : out;
  return out;
}

}  // namespace tunesmith::align
