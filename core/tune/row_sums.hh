// Σ coefficient · h(row) over many rows on several threads: the gradient of whatever is a function
// of rows' scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

class RowSums {
 public:
  RowSums(const PoolView& pool, int threads);

  // target += Σ coefficients[i] · h(rows[i]). Rows are taken in blocks that do not depend on the
  // number of threads, and the blocks' sums are added in order: always the same bytes.
  void add(std::span<const std::int64_t> rows, std::span<const double> coefficients,
           std::span<double> target);

 private:
  const PoolView& pool_;
  int threads_;
  std::vector<std::vector<double>> sums_;  // by block
};

}  // namespace tunesmith::tune
