// The natural size of features and gains: how much they differ within a list.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/parallel.hh"

namespace tunesmith::tune {

// [columns] the pooled standard deviation of each column of `values` [rows, columns] within the
// sentences. Sums are taken by sentence and added in the sentences' order.
template <typename T>
std::vector<double> spread_within(std::span<const std::int64_t> offsets, const T* values,
                                  int columns, int threads) {
  const std::size_t sentences = offsets.size() - 1;
  std::vector<double> squares(sentences * columns, 0.0);
  engine::parallel_for(
      sentences, threads,
      [&](std::size_t s) {
        std::vector<double> means(columns, 0.0);
        for (std::int64_t row = offsets[s]; row < offsets[s + 1]; ++row)
          for (int c = 0; c < columns; ++c) means[c] += values[row * columns + c];
        const auto count = static_cast<double>(offsets[s + 1] - offsets[s]);
        for (double& mean : means) mean /= count;
        double* sums = squares.data() + s * columns;
        for (std::int64_t row = offsets[s]; row < offsets[s + 1]; ++row)
          for (int c = 0; c < columns; ++c) {
            const double difference = values[row * columns + c] - means[c];
            sums[c] += difference * difference;
          }
      },
      32);
  std::vector<double> spread(columns, 0.0);
  for (std::size_t s = 0; s < sentences; ++s)
    for (int c = 0; c < columns; ++c) spread[c] += squares[s * columns + c];
  for (double& value : spread) value = std::sqrt(value / static_cast<double>(offsets.back()));
  return spread;
}

// The root of the mean square of all values; 0 of none.
inline double root_mean_square(std::span<const float> values, int threads) {
  constexpr std::size_t kBlock = 1 << 16;
  std::vector<double> sums((values.size() + kBlock - 1) / kBlock, 0.0);
  engine::parallel_for(sums.size(), threads, [&](std::size_t block) {
    const std::size_t end = std::min(values.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i)
      sums[block] += static_cast<double>(values[i]) * values[i];
  });
  double total = 0.0;
  for (const double sum : sums) total += sum;
  return values.empty() ? 0.0 : std::sqrt(total / static_cast<double>(values.size()));
}

}  // namespace tunesmith::tune
