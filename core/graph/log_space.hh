// Sums of numbers that are known by their logarithms.
#pragma once

#include <cmath>
#include <limits>
#include <utility>

namespace tunesmith::graph {

constexpr double kLogZero = -std::numeric_limits<double>::infinity();

// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace tunesmith::graph
