#include "tune/line_search/pool_columns.hh"

#include <algorithm>

#include "engine/parallel.hh"
#include "tune/stat_groups.hh"

namespace tunesmith::tune {

PoolColumns::PoolColumns(const PoolView& pool, int threads) : pool_(pool) {
  begins_.assign(pool.sentences() + 1, 0);
  for (std::int64_t s = 0; s < pool.sentences(); ++s) {
    const std::int64_t rows = pool.offsets[s + 1] - pool.offsets[s];
    begins_[s + 1] = begins_[s] + (rows + kLanes - 1) / kLanes * kLanes;
  }
  values_.resize(slots() * features());
  ends_.resize(sentences() * features());
  engine::parallel_for(
      sentences(), threads,
      [&](std::size_t s) {
        const std::int64_t first = pool.offsets[s], rows = pool.offsets[s + 1] - first;
        for (int f = 0; f < features(); ++f) {
          float* out = values_.data() + f * slots() + begins_[s];
          for (std::int64_t i = 0; i < size(s); ++i)
            out[i] = pool.dense_row(i < rows ? first + i : first)[f];
          // Padding repeats row 0, so only the rows themselves say which end is alone.
          ends_[f * sentences() + s] = find_ends(out, rows);
        }
      },
      16);
  find_kinds(threads);
}

void PoolColumns::find_kinds(int threads) {
  const StatGroups groups(pool_, threads);
  kinds_.resize(slots());
  kind_stats_.assign(groups.offsets.back() * stats_size(), 0);
  engine::parallel_for(
      sentences(), threads,
      [&](std::size_t s) {
        const auto first_kind = static_cast<std::uint32_t>(groups.offsets[s]);
        for (std::int64_t i = 0; i < size(s); ++i)
          kinds_[begins_[s] + i] =
              first_kind + groups.group_of_row[pool_.offsets[s] + (i < rows(s) ? i : 0)];
        for (std::int64_t g = 0; g < groups.size(s); ++g)
          std::copy_n(groups.stats_of(s, g), groups.stats_size,
                      kind_stats_.data() + (first_kind + g) * stats_size());
      },
      16);
}

void PoolColumns::combine(const double* weights, double* target) const {
  std::fill(target, target + slots(), 0.0);
  for (int f = 0; f < features(); ++f) {
    if (weights[f] == 0.0) continue;
    const float* values = column(f);
    const double weight = weights[f];
    for (std::int64_t i = 0; i < slots(); ++i) target[i] += weight * values[i];
  }
}

}  // namespace tunesmith::tune
