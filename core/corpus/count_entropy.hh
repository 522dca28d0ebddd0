// x ln x for counts, of which mutual information is a sum.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace tunesmith::corpus {

class CountEntropy {
 public:
  // Counts below this are looked up; the table stays in the second-level cache.
  static constexpr std::uint64_t kTable = 1 << 16;

  CountEntropy() : table_(kTable) {
    for (std::uint64_t x = 1; x < kTable; ++x)
      table_[x] = static_cast<double>(x) * std::log(static_cast<double>(x));
  }

  double operator()(std::uint64_t count) const {
    if (count < kTable) return table_[count];
    return static_cast<double>(count) * std::log(static_cast<double>(count));
  }

  // For a count that is known to be below kTable.
  double small(std::uint64_t count) const { return table_[count]; }

 private:
  std::vector<double> table_;
};

}  // namespace tunesmith::corpus
