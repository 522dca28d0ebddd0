#include "learn/ranking.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tunesmith::learn {

RankingLevels ranking_levels(std::span<const double> gains, double level_share) {
  RankingLevels levels;
  const std::size_t size = gains.size();
  levels.order.resize(size);
  std::iota(levels.order.begin(), levels.order.end(), 0U);
  std::stable_sort(levels.order.begin(), levels.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return gains[a] > gains[b]; });
  const auto part =
      static_cast<std::size_t>(std::max(1.0, std::round(level_share * static_cast<double>(size))));
  const auto same = [&](std::size_t a, std::size_t b) {
    return gains[levels.order[a]] == gains[levels.order[b]];
  };
  std::size_t& high = levels.high_end = std::min(part, size);
  while (high > 0 && high < size && same(high - 1, high)) ++high;
  std::size_t& low = levels.low_begin = std::max(high, size - std::min(part, size));
  while (low > high && low < size && same(low - 1, low)) --low;
  return levels;
}

double FeatureRows::dot(std::size_t row, std::span<const double> weights) const {
  double sum = 0.0;
  for (std::uint64_t i = offsets[row]; i < offsets[row + 1]; ++i)
    sum += weights[columns[i]] * values[i];
  return sum;
}

RankingUpdate rank_pairs(const FeatureRows& rows, std::span<const double> gains,
                         std::span<const double> constant, std::span<const double> rates,
                         const RankingOptions& options, std::span<double> weights) {
  RankingUpdate update;
  update.coefficients.assign(gains.size(), 0.0);
  const RankingLevels levels = ranking_levels(gains, options.level_share);
  // Scores are computed again only after the weights have moved.
  std::vector<double> scores(gains.size());
  std::vector<std::uint64_t> computed(gains.size(), 0);
  const auto score = [&](std::uint32_t k) {
    if (computed[k] != update.mended + 1) {
      scores[k] = constant[k] + rows.dot(k, weights);
      computed[k] = update.mended + 1;
    }
    return scores[k];
  };
  const auto move = [&](std::uint32_t k, double sign) {
    update.coefficients[k] += sign;
    for (std::uint64_t i = rows.offsets[k]; i < rows.offsets[k + 1]; ++i)
      weights[rows.columns[i]] += sign * rates[rows.columns[i]] * rows.values[i];
  };
  const auto rank = [&](std::size_t i, std::size_t j) {
    const std::uint32_t better = levels.order[i], worse = levels.order[j];
    ++update.pairs;
    if (score(better) - score(worse) > options.margin) return;
    move(better, 1.0);
    move(worse, -1.0);
    ++update.mended;
  };
  const std::size_t size = gains.size();
  for (std::size_t i = 0; i < levels.high_end; ++i)
    for (std::size_t j = levels.high_end; j < size; ++j) rank(i, j);
  for (std::size_t i = levels.high_end; i < levels.low_begin; ++i)
    for (std::size_t j = levels.low_begin; j < size; ++j) rank(i, j);
  return update;
}

}  // namespace tunesmith::learn
