#include "tune/oracle.hh"

#include "tune/stat_groups.hh"

namespace tunesmith::tune {

namespace {

// The first row of every group, in the order of the groups.
std::vector<std::int64_t> first_rows(const PoolView& pool, const StatGroups& groups) {
  std::vector<std::int64_t> firsts;
  firsts.reserve(groups.offsets.back());
  for (std::int64_t s = 0; s < pool.sentences(); ++s)
    for (std::int64_t row = pool.offsets[s]; row < pool.offsets[s + 1]; ++row)
      if (groups.offsets[s] + groups.group_of_row[row] == static_cast<std::int64_t>(firsts.size()))
        firsts.push_back(row);
  return firsts;
}

}  // namespace

std::vector<std::int64_t> greedy_oracle(const PoolView& pool, const metrics::Gain& gain,
                                        std::span<const std::int64_t> rows, bool lowest,
                                        int threads) {
  const StatGroups groups(pool, threads);
  const std::vector<std::int64_t> firsts = first_rows(pool, groups);
  const double sign = lowest ? -1.0 : 1.0;
  std::vector<std::int64_t> chosen(rows.begin(), rows.end());
  // Whole numbers, so exact however often they change: every substitution really lifts the gain,
  // and the search ends.
  std::vector<double> totals(pool.stats_size, 0.0), others(totals), sums(totals);
  for (const std::int64_t row : chosen)
    for (int i = 0; i < pool.stats_size; ++i) totals[i] += pool.stats_row(row)[i];
  double best = sign * gain(totals.data());

  for (bool changed = true; changed;) {
    changed = false;
    for (std::int64_t s = 0; s < pool.sentences(); ++s) {
      for (int i = 0; i < pool.stats_size; ++i)
        others[i] = totals[i] - pool.stats_row(chosen[s])[i];
      std::int64_t better = -1;
      for (std::int64_t g = 0; g < groups.size(s); ++g) {
        const double* stats = groups.stats_of(s, g);
        for (int i = 0; i < pool.stats_size; ++i) sums[i] = others[i] + stats[i];
        const double value = sign * gain(sums.data());
        if (value > best) {
          best = value;
          better = g;
        }
      }
      if (better < 0) continue;
      changed = true;
      chosen[s] = firsts[groups.offsets[s] + better];
      for (int i = 0; i < pool.stats_size; ++i)
        totals[i] = others[i] + groups.stats_of(s, better)[i];
    }
  }
  return chosen;
}

}  // namespace tunesmith::tune
