// Hypotheses of a sentence with equal statistics: a gain is evaluated once for all of them.
// Lists hold many spellings of few outcomes (a quarter of the rows are distinct in typical lists).
#pragma once

#include <cstdint>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

struct StatGroups {
  StatGroups(const PoolView& pool, int threads);

  std::int64_t size(std::int64_t sentence) const {
    return offsets[sentence + 1] - offsets[sentence];
  }
  // The statistics of a group of a sentence.
  const double* stats_of(std::int64_t sentence, std::int64_t group) const {
    return stats.data() + (offsets[sentence] + group) * stats_size;
  }

  int stats_size;
  std::vector<std::int64_t> offsets;        // sentence s owns groups [offsets[s], offsets[s + 1])
  std::vector<std::uint32_t> group_of_row;  // counted from 0 within the sentence
  std::vector<double> stats;                // [groups, stats_size]
};

}  // namespace tunesmith::tune
