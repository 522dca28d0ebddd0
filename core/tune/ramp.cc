#include "tune/ramp.hh"

#include <algorithm>
#include <utility>

#include "engine/parallel.hh"
#include "tune/shrinking_weights.hh"

namespace tunesmith::tune {

std::vector<std::int64_t> augmented_best(const PoolView& pool, std::span<const double> costs,
                                         double factor, std::span<const double> weights,
                                         int threads) {
  std::vector<std::int64_t> rows(pool.sentences());
  engine::parallel_for(
      rows.size(), threads,
      [&](std::size_t s) {
        const auto augmented = [&](std::int64_t row) {
          return pool.score(row, weights.data()) + factor * costs[row];
        };
        rows[s] = pool.highest(s, augmented).first;
      },
      16);
  return rows;
}

double ramp_epoch(const PoolView& pool, std::span<const double> costs,
                  std::span<const std::int64_t> hopes, std::span<const std::int64_t> order,
                  std::span<const double> anchor_scores, const RampEpoch& options,
                  std::vector<double>& deviation, int threads) {
  struct Fear {
    std::int64_t row;
    double loss;
  };
  const int workers = threads_pay(pool, options.batch) ? threads : 1;
  std::vector<Fear> fears(options.batch);
  double loss = 0.0;
  ShrinkingWeights w(deviation);
  auto score = [&](std::int64_t row) {
    return anchor_scores[row] + w.factor() * pool.score(row, w.data());
  };
  for (std::size_t begin = 0; begin < order.size(); begin += options.batch) {
    const std::size_t size = std::min<std::size_t>(options.batch, order.size() - begin);
    engine::parallel_for(size, workers, [&](std::size_t i) {
      const std::int64_t s = order[begin + i];
      const auto [row, value] = pool.highest(
          s, [&](std::int64_t r) { return score(r) + options.fear_factor * costs[r]; });
      fears[i] = {row, value - score(hopes[s])};
    });
    for (std::size_t i = 0; i < size; ++i) {
      const std::int64_t hope = hopes[order[begin + i]];
      loss += fears[i].loss;
      w.shrink(1.0 - options.rate * options.lambda);
      if (fears[i].row == hope) continue;
      w.add(pool, hope, options.rate);
      w.add(pool, fears[i].row, -options.rate);
    }
  }
  return order.empty() ? 0.0 : loss / static_cast<double>(order.size());
}

}  // namespace tunesmith::tune
