// What trainers do with one example. The number of classes is a constant to the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/error.hh"
#include "reorder/examples.hh"

namespace tunesmith::reorder {

// w_k · φ for every class k.
template <int K>
std::array<double, K> dot(std::span<const std::uint32_t> row, const double* weights) {
  std::array<double, K> sums{};
  for (const std::uint32_t feature : row)
    for (int k = 0; k < K; ++k) sums[k] += weights[static_cast<std::size_t>(feature) * K + k];
  return sums;
}

// w_k += change_k · φ
template <int K>
void add(std::span<const std::uint32_t> row, const std::array<double, K>& change, double* weights) {
  for (const std::uint32_t feature : row)
    for (int k = 0; k < K; ++k) weights[static_cast<std::size_t>(feature) * K + k] += change[k];
}

// log Σ exp(score)
template <int K>
double log_sum(const std::array<double, K>& scores) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (const double score : scores) sum += std::exp(score - highest);
  return highest + std::log(sum);
}

// work(std::integral_constant<int, K>()) for K = `classes`.
template <typename Work>
auto with_classes(int classes, const Work& work) {
  switch (classes) {
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    case 4:
      return work(std::integral_constant<int, 4>());
    default:
      throw OptionError(std::to_string(classes) + " classes, expected " +
                        std::to_string(kMinClasses) + " to " + std::to_string(kMaxClasses));
  }
}

}  // namespace tunesmith::reorder
