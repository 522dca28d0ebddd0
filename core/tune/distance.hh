// Products and distances of rows' features.
#pragma once

#include <cstdint>

#include "base/pool.hh"

namespace tunesmith::tune {

// Calls visit(a, b) for every feature that one of two rows has, with both values.
template <typename Visit>
void for_each_feature(const PoolView& pool, std::int64_t row, std::int64_t other,
                      const Visit& visit) {
  const float* a = pool.dense_row(row);
  const float* b = pool.dense_row(other);
  for (int i = 0; i < pool.dense_size; ++i) visit(static_cast<double>(a[i]), b[i]);
  std::int64_t i = pool.sparse_offsets[row], j = pool.sparse_offsets[other];
  const std::int64_t i_end = pool.sparse_offsets[row + 1];
  const std::int64_t j_end = pool.sparse_offsets[other + 1];
  while (i < i_end && j < j_end) {
    const std::uint32_t id = pool.sparse_ids[i], other_id = pool.sparse_ids[j];
    if (id == other_id)
      visit(static_cast<double>(pool.sparse_values[i++]), pool.sparse_values[j++]);
    else if (id < other_id)
      visit(static_cast<double>(pool.sparse_values[i++]), 0.0);
    else
      visit(0.0, pool.sparse_values[j++]);
  }
  while (i < i_end) visit(static_cast<double>(pool.sparse_values[i++]), 0.0);
  while (j < j_end) visit(0.0, pool.sparse_values[j++]);
}

// ‖h(row) − h(other)‖²
inline double squared_distance(const PoolView& pool, std::int64_t row, std::int64_t other) {
  double total = 0.0;
  for_each_feature(pool, row, other, [&](double a, double b) { total += (a - b) * (a - b); });
  return total;
}

// h(row) · h(other)
inline double product(const PoolView& pool, std::int64_t row, std::int64_t other) {
  double total = 0.0;
  for_each_feature(pool, row, other, [&](double a, double b) { total += a * b; });
  return total;
}

}  // namespace tunesmith::tune
