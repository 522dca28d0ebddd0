// What a tuner sees of k-best lists: rows of features and statistics, grouped by sentence.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

namespace tunesmith {

// Borrowed arrays (the layout of KBestPool in Python). Row r has `dense_size` dense values and
// the sparse entries [sparse_offsets[r], sparse_offsets[r + 1]), with ids below sparse_size and
// ascending. A weight vector has the dense weights first, then the sparse ones.
struct PoolView {
  std::span<const std::int64_t> offsets;  // sentence s owns rows [offsets[s], offsets[s + 1])
  const float* dense = nullptr;
  int dense_size = 0;
  std::span<const std::int64_t> sparse_offsets;
  std::span<const std::uint32_t> sparse_ids;
  std::span<const float> sparse_values;
  std::int64_t sparse_size = 0;
  const std::int32_t* stats = nullptr;
  int stats_size = 0;

  std::int64_t sentences() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t rows() const { return offsets.back(); }
  std::int64_t features() const { return dense_size + sparse_size; }
  const float* dense_row(std::int64_t row) const { return dense + row * dense_size; }
  const std::int32_t* stats_row(std::int64_t row) const { return stats + row * stats_size; }

  // w · h(row). The dense part is summed in four lanes, always the same way: a single chain of
  // additions would wait for itself.
  double score(std::int64_t row, const double* weights) const {
    const float* values = dense_row(row);
    double lanes[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= dense_size; i += 4)
      for (int k = 0; k < 4; ++k) lanes[k] += weights[i + k] * values[i + k];
    for (int k = 0; i < dense_size; ++i, ++k) lanes[k] += weights[i] * values[i];
    double total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
    const double* sparse_weights = weights + dense_size;
    for (std::int64_t entry = sparse_offsets[row]; entry < sparse_offsets[row + 1]; ++entry)
      total += sparse_weights[sparse_ids[entry]] * sparse_values[entry];
    return total;
  }

  // The first row of a sentence with the highest value(row), and that value.
  template <typename Value>
  std::pair<std::int64_t, double> highest(std::int64_t sentence, const Value& value) const {
    std::int64_t best = offsets[sentence];
    double highest = value(best);
    for (std::int64_t row = best + 1; row < offsets[sentence + 1]; ++row) {
      const double v = value(row);
      if (v > highest) {
        highest = v;
        best = row;
      }
    }
    return {best, highest};
  }

  // The first row of the highest score.
  std::int64_t best(std::int64_t sentence, const double* weights) const {
    return highest(sentence, [&](std::int64_t row) { return score(row, weights); }).first;
  }

  // target += factor · h(row), for a target of all features.
  void add_to(double* target, std::int64_t row, double factor) const {
    const float* values = dense_row(row);
    for (int i = 0; i < dense_size; ++i) target[i] += factor * values[i];
    double* sparse_target = target + dense_size;
    for (std::int64_t i = sparse_offsets[row]; i < sparse_offsets[row + 1]; ++i)
      sparse_target[sparse_ids[i]] += factor * sparse_values[i];
  }
};

}  // namespace tunesmith
