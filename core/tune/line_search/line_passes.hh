// The two passes over all hypotheses of a sentence that a line search repeats, as vector code.
//
// Hypothesis i is the line intercepts[i] + α slopes[i]; arrays are padded to a multiple of 8.
// Products and sums are rounded one by one in every variant, so that all machines agree.
#pragma once

#include <cstdint>

namespace tunesmith::tune {

// A place on the line and a height there.
struct Bar {
  double x, height;
};

// Lines in ascending order; `rows` has room for all.
struct Found {
  std::int32_t* rows;
  std::int64_t count = 0;
};

// Finds the lines above each of two bars.
void lines_above(const double* intercepts, const float* slopes, std::int64_t size, Bar a, Bar b,
                 Found& above_a, Found& above_b);
void lines_above(const double* intercepts, const double* slopes, std::int64_t size, Bar a, Bar b,
                 Found& above_a, Found& above_b);

// The highest line of a slope that at least one line has; of equals the first.
std::int32_t highest_of_slope(const double* intercepts, const float* slopes, std::int64_t size,
                              float slope);
std::int32_t highest_of_slope(const double* intercepts, const double* slopes, std::int64_t size,
                              double slope);

// What the vector code must equal; used where a machine has none.
namespace plain {

template <typename Slope>
void above(const double* intercepts, const Slope* slopes, std::int64_t size, Bar a, Bar b,
           Found& above_a, Found& above_b) {
  for (std::int64_t i = 0; i < size; ++i) {
    above_a.rows[above_a.count] = above_b.rows[above_b.count] = static_cast<std::int32_t>(i);
    above_a.count += intercepts[i] + a.x * slopes[i] > a.height;
    above_b.count += intercepts[i] + b.x * slopes[i] > b.height;
  }
}

template <typename Slope>
std::int32_t highest(const double* intercepts, const Slope* slopes, std::int64_t size,
                     Slope slope) {
  std::int64_t best = -1;
  for (std::int64_t i = 0; i < size; ++i)
    if (slopes[i] == slope && (best < 0 || intercepts[i] > intercepts[best])) best = i;
  return static_cast<std::int32_t>(best);
}

}  // namespace plain

}  // namespace tunesmith::tune
