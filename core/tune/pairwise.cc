#include "tune/pairwise.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.hh"
#include "engine/parallel.hh"
#include "tune/distance.hh"
#include "tune/lbfgs.hh"
#include "tune/row_sums.hh"

namespace tunesmith::tune {

namespace {

double half_square(std::span<const double> w) {
  double total = 0.0;
  for (const double value : w) total += value * value;
  return 0.5 * total;
}

// The logistic objective. Rows are in many pairs, so each is scored once, and each gets one
// coefficient in the gradient.
class LogisticObjective {
 public:
  LogisticObjective(const PoolView& pool, std::span<const Pair> pairs, double lambda, int threads)
      : pool_(pool), lambda_(lambda), threads_(threads), sums_(pool, threads) {
    for (const Pair& pair : pairs) {
      rows_.push_back(pair.good);
      rows_.push_back(pair.bad);
    }
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    auto place = [&](std::int64_t row) {
      return std::lower_bound(rows_.begin(), rows_.end(), row) - rows_.begin();
    };
    for (const Pair& pair : pairs) pairs_.push_back({place(pair.good), place(pair.bad)});
    scores_.resize(rows_.size());
    coefficients_.resize(rows_.size());
  }

  double operator()(std::span<const double> w, std::span<double> gradient) {
    engine::parallel_for(
        rows_.size(), threads_,
        [&](std::size_t i) { scores_[i] = pool_.score(rows_[i], w.data()); }, 512);
    double loss = 0.0;
    std::fill(coefficients_.begin(), coefficients_.end(), 0.0);
    for (const Pair& pair : pairs_) {
      const double margin = scores_[pair.good] - scores_[pair.bad];
      const double e = std::exp(-std::abs(margin));
      loss += std::log1p(e) + std::max(-margin, 0.0);
      const double wrong = (margin > 0.0 ? e : 1.0) / (1.0 + e);  // σ(−margin)
      coefficients_[pair.good] -= wrong;
      coefficients_[pair.bad] += wrong;
    }
    for (std::size_t i = 0; i < w.size(); ++i) gradient[i] = lambda_ * w[i];
    sums_.add(rows_, coefficients_, gradient);
    return loss + lambda_ * half_square(w);
  }

 private:
  const PoolView& pool_;
  double lambda_;
  int threads_;
  std::vector<std::int64_t> rows_;  // the rows of all pairs, each once
  std::vector<Pair> pairs_;         // as positions in rows_
  std::vector<double> scores_, coefficients_;
  RowSums sums_;
};

}  // namespace

PairwiseResult fit_logistic(const PoolView& pool, std::span<const Pair> pairs, double lambda,
                            std::span<const double> start, double tolerance, int iterations,
                            int threads) {
  LogisticObjective objective(pool, pairs, lambda, threads);
  std::vector<double> w(start.begin(), start.end());
  const LbfgsResult result =
      minimise(std::ref(objective), w, {.iterations = iterations, .tolerance = tolerance});
  return {std::move(w), result.value, result.iterations, result.converged};
}

PairwiseResult fit_hinge(const PoolView& pool, std::span<const Pair> pairs, double lambda,
                         double tolerance, int iterations, std::uint64_t seed) {
  const double upper = 1.0 / lambda;
  std::vector<double> w(pool.features(), 0.0), multipliers(pairs.size(), 0.0);
  std::vector<double> squares(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i)
    squares[i] = squared_distance(pool, pairs[i].good, pairs[i].bad);
  std::vector<std::size_t> order(pairs.size());
  std::iota(order.begin(), order.end(), 0);

  Random random(seed);
  int iteration = 0;
  bool converged = false;
  for (; iteration < iterations && !converged; ++iteration) {
    random.shuffle(order);
    double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
    for (const std::size_t i : order) {
      if (squares[i] == 0.0) continue;  // equal features: no weights can part them
      const auto [good, bad] = pairs[i];
      const double gradient = pool.score(good, w.data()) - pool.score(bad, w.data()) - 1.0;
      double& multiplier = multipliers[i];
      double projected = gradient;
      if (multiplier <= 0.0) projected = std::min(gradient, 0.0);
      if (multiplier >= upper) projected = std::max(gradient, 0.0);
      lowest = std::min(lowest, projected);
      highest = std::max(highest, projected);
      if (projected == 0.0) continue;
      const double before = multiplier;
      multiplier = std::clamp(multiplier - gradient / squares[i], 0.0, upper);
      pool.add_to(w.data(), good, multiplier - before);
      pool.add_to(w.data(), bad, before - multiplier);
    }
    converged = !(highest - lowest > tolerance);
  }
  double objective = lambda * half_square(w);
  for (const Pair& pair : pairs)
    objective +=
        std::max(0.0, 1.0 - pool.score(pair.good, w.data()) + pool.score(pair.bad, w.data()));
  return {std::move(w), objective, iteration, converged};
}

}  // namespace tunesmith::tune
