#include "tune/risk.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/parallel.hh"
#include "tune/row_sums.hh"
#include "tune/shrinking_weights.hh"

namespace tunesmith::tune {

namespace {

// A sentence's expected cost; and, by row, P(e) (cost(e) − expected cost), the derivative of the
// expected cost by the score of e. Scores are factor × w · h.
double expectation(const PoolView& pool, std::span<const double> costs, std::int64_t sentence,
                   const double* weights, double factor, double* derivatives) {
  const std::int64_t begin = pool.offsets[sentence], size = pool.offsets[sentence + 1] - begin;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < size; ++i) {
    derivatives[i] = factor * pool.score(begin + i, weights);
    highest = std::max(highest, derivatives[i]);
  }
  double mass = 0.0, expected = 0.0;
  for (std::int64_t i = 0; i < size; ++i) {
    derivatives[i] = std::exp(derivatives[i] - highest);
    mass += derivatives[i];
    expected += derivatives[i] * costs[begin + i];
  }
  expected /= mass;
  for (std::int64_t i = 0; i < size; ++i)
    derivatives[i] = derivatives[i] / mass * (costs[begin + i] - expected);
  return expected;
}

// [rows] the derivatives of all sentences; the sum of the expected costs.
double all_expectations(const PoolView& pool, std::span<const double> costs,
                        std::span<const double> weights, std::vector<double>& derivatives,
                        int threads) {
  std::vector<double> expected(pool.sentences());
  derivatives.resize(pool.rows());
  engine::parallel_for(
      expected.size(), threads,
      [&](std::size_t s) {
        expected[s] =
            expectation(pool, costs, s, weights.data(), 1.0, derivatives.data() + pool.offsets[s]);
      },
      32);
  double total = 0.0;
  for (const double value : expected) total += value;
  return total;
}

}  // namespace

double risk_objective(const PoolView& pool, std::span<const double> costs, double lambda,
                      std::span<const double> weights, int threads) {
  std::vector<double> derivatives;
  double square = 0.0;
  for (const double weight : weights) square += weight * weight;
  return 0.5 * lambda * square + all_expectations(pool, costs, weights, derivatives, threads);
}

std::vector<double> risk_gradient(const PoolView& pool, std::span<const double> costs,
                                  double lambda, std::span<const double> weights, int threads) {
  std::vector<double> derivatives;
  all_expectations(pool, costs, weights, derivatives, threads);
  std::vector<std::int64_t> rows(pool.rows());
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<double> gradient(weights.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = lambda * weights[i];
  RowSums(pool, threads).add(rows, derivatives, gradient);
  return gradient;
}

double risk_epoch(const PoolView& pool, std::span<const double> costs,
                  std::span<const std::int64_t> order, const RiskEpoch& options,
                  std::vector<double>& weights, int threads) {
  const double decay = options.lambda / static_cast<double>(pool.sentences());
  const int workers = threads_pay(pool, options.batch) ? threads : 1;
  std::vector<std::vector<double>> derivatives(options.batch);
  ShrinkingWeights w(weights);
  double time = options.time;
  for (std::size_t begin = 0; begin < order.size(); begin += options.batch) {
    const std::size_t size = std::min<std::size_t>(options.batch, order.size() - begin);
    engine::parallel_for(size, workers, [&](std::size_t i) {
      const std::int64_t s = order[begin + i];
      derivatives[i].resize(pool.offsets[s + 1] - pool.offsets[s]);
      expectation(pool, costs, s, w.data(), w.factor(), derivatives[i].data());
    });
    for (std::size_t i = 0; i < size; ++i, time += 1.0) {
      const double rate = options.rate / (1.0 + options.rate * decay * time);
      w.shrink(1.0 - rate * decay);
      const std::int64_t first = pool.offsets[order[begin + i]];
      for (std::size_t e = 0; e < derivatives[i].size(); ++e)
        if (derivatives[i][e] != 0.0)
          w.add(pool, first + static_cast<std::int64_t>(e), -rate * derivatives[i][e]);
    }
  }
  return time;
}

}  // namespace tunesmith::tune
