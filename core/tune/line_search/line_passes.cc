#include "tune/line_search/line_passes.hh"

#include <algorithm>
#include <limits>

#if defined(__x86_64__) && defined(__GNUC__)
#define TUNESMITH_AVX2 1
#include <immintrin.h>
#endif

namespace tunesmith::tune {

namespace {

constexpr double kLowest = -std::numeric_limits<double>::infinity();

#ifdef TUNESMITH_AVX2

#define AVX2 __attribute__((target("avx2")))

struct Avx2 {
  AVX2 static __m256d load(const float* p) { return _mm256_cvtps_pd(_mm_loadu_ps(p)); }
  AVX2 static __m256d load(const double* p) { return _mm256_loadu_pd(p); }

  // Bit k: line k is above the bar.
  AVX2 static unsigned higher(__m256d intercept, __m256d slope, __m256d x, __m256d height) {
    const __m256d value = _mm256_add_pd(intercept, _mm256_mul_pd(x, slope));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_cmp_pd(value, height, _CMP_GT_OQ)));
  }

  static void add(Found& found, std::int64_t begin, unsigned hits) {
    for (; hits; hits &= hits - 1)
      found.rows[found.count++] = static_cast<std::int32_t>(begin) + __builtin_ctz(hits);
  }

  template <typename Slope>
  AVX2 static void above(const double* intercepts, const Slope* slopes, std::int64_t size, Bar a,
                         Bar b, Found& above_a, Found& above_b) {
    const __m256d ax = _mm256_set1_pd(a.x), ah = _mm256_set1_pd(a.height);
    const __m256d bx = _mm256_set1_pd(b.x), bh = _mm256_set1_pd(b.height);
    for (std::int64_t i = 0; i < size; i += 8) {
      const __m256d b0 = load(intercepts + i), b1 = load(intercepts + i + 4);
      const __m256d m0 = load(slopes + i), m1 = load(slopes + i + 4);
      add(above_a, i, higher(b0, m0, ax, ah) | (higher(b1, m1, ax, ah) << 4));
      add(above_b, i, higher(b0, m0, bx, bh) | (higher(b1, m1, bx, bh) << 4));
    }
  }

  template <typename Slope>
  AVX2 static std::int32_t highest(const double* intercepts, const Slope* slopes, std::int64_t size,
                                   Slope slope) {
    const __m256d wanted = _mm256_set1_pd(slope), lowest = _mm256_set1_pd(kLowest);
    __m256d top = lowest;
    for (std::int64_t i = 0; i < size; i += 4) {
      const __m256d same = _mm256_cmp_pd(load(slopes + i), wanted, _CMP_EQ_OQ);
      top = _mm256_max_pd(top, _mm256_blendv_pd(lowest, load(intercepts + i), same));
    }
    double tops[4];
    _mm256_storeu_pd(tops, top);
    const double height = *std::max_element(tops, tops + 4);
    const __m256d heights = _mm256_set1_pd(height);
    for (std::int64_t i = 0; i < size; i += 4) {
      const __m256d same = _mm256_cmp_pd(load(slopes + i), wanted, _CMP_EQ_OQ);
      const __m256d high = _mm256_cmp_pd(load(intercepts + i), heights, _CMP_EQ_OQ);
      const int hits = _mm256_movemask_pd(_mm256_and_pd(same, high));
      if (hits) return static_cast<std::int32_t>(i) + __builtin_ctz(hits);
    }
    return -1;
  }
};

const bool kAvx2 = __builtin_cpu_supports("avx2");
#define TUNESMITH_CALL(function, ...) \
  (kAvx2 ? Avx2::function(__VA_ARGS__) : plain::function(__VA_ARGS__))

#else
#define TUNESMITH_CALL(function, ...) plain::function(__VA_ARGS__)
#endif

}  // namespace

void lines_above(const double* intercepts, const float* slopes, std::int64_t size, Bar a, Bar b,
                 Found& above_a, Found& above_b) {
  TUNESMITH_CALL(above, intercepts, slopes, size, a, b, above_a, above_b);
}

void lines_above(const double* intercepts, const double* slopes, std::int64_t size, Bar a, Bar b,
                 Found& above_a, Found& above_b) {
  TUNESMITH_CALL(above, intercepts, slopes, size, a, b, above_a, above_b);
}

std::int32_t highest_of_slope(const double* intercepts, const float* slopes, std::int64_t size,
                              float slope) {
  return TUNESMITH_CALL(highest, intercepts, slopes, size, slope);
}

std::int32_t highest_of_slope(const double* intercepts, const double* slopes, std::int64_t size,
                              double slope) {
  return TUNESMITH_CALL(highest, intercepts, slopes, size, slope);
}

}  // namespace tunesmith::tune
