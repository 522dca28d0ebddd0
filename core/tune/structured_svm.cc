#include "tune/structured_svm.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hh"
#include "engine/parallel.hh"
#include "tune/distance.hh"

namespace tunesmith::tune {

namespace {

constexpr std::size_t kGrain = 16;
// Scores that differ by less, relative to their size, are equal.
constexpr double kTie = 1e-9;

}  // namespace

StructuredSvm::StructuredSvm(const PoolView& pool, std::span<const double> costs, double lambda,
                             std::span<const double> start, int threads)
    : pool_(pool),
      costs_(costs),
      lambda_(lambda),
      threads_(threads),
      start_(start.begin(), start.end()),
      weights_(start.size(), 0.0),
      oracles_(pool.sentences(), -1),
      sets_(pool.sentences()),
      violations_(pool.sentences()) {}

std::int64_t StructuredSvm::select_oracles() {
  const bool first = oracles_.empty() || oracles_[0] < 0;
  const std::vector<double>& judge = first ? start_ : weights_;
  std::vector<std::int64_t> chosen(oracles_.size());
  engine::parallel_for(
      chosen.size(), threads_,
      [&](std::size_t s) {
        // An oracle gives way to a better one only: at an optimum, rows of the set often tie.
        std::int64_t best = oracles_[s];
        double best_score = first ? 0.0 : pool_.score(best, judge.data());
        for (std::int64_t row = pool_.offsets[s]; row < pool_.offsets[s + 1]; ++row) {
          if (costs_[row] > 0.0) continue;
          const double score = pool_.score(row, judge.data());
          const double tie = best == oracles_[s] ? kTie * std::max(1.0, std::abs(score)) : 0.0;
          if (best < 0 || score > best_score + tie) {
            best = row;
            best_score = score;
          }
        }
        chosen[s] = best < 0 ? pool_.offsets[s] : best;
      },
      kGrain);
  std::int64_t changed = 0;
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    if (chosen[s] == oracles_[s]) continue;
    ++changed;
    if (first) {
      sets_[s] = {{chosen[s], 1.0}};
    } else {
      pool_.add_to(weights_.data(), chosen[s], 1.0 / lambda_);
      pool_.add_to(weights_.data(), oracles_[s], -1.0 / lambda_);
    }
    oracles_[s] = chosen[s];
  }
  return changed;
}

StructuredSvm::Result StructuredSvm::optimise(double tolerance, int rounds, std::uint64_t seed) {
  Bounds bounds = find_violations();
  int round = 0;
  for (; round < rounds && bounds.gap > tolerance * bounds.primal; ++round) {
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      const std::int64_t row = violations_[s];
      const bool known = std::any_of(sets_[s].begin(), sets_[s].end(),
                                     [&](const Mass& mass) { return mass.row == row; });
      if (!known) sets_[s].push_back({row, 0.0});
    }
    // As exact as the cuts deserve, and no more.
    constexpr int kPasses = 100;
    solve_working_sets(0.1 * bounds.gap, kPasses, hash_combine(seed, round));
    bounds = find_violations();
  }
  return {bounds.primal, bounds.gap, round};
}

StructuredSvm::Bounds StructuredSvm::find_violations() {
  std::vector<double> losses(sets_.size()), gaps(sets_.size());
  engine::parallel_for(
      sets_.size(), threads_,
      [&](std::size_t s) {
        const auto [worst, highest] =
            pool_.highest(s, [&](std::int64_t row) { return slope(row); });
        violations_[s] = worst;
        losses[s] = highest - pool_.score(oracles_[s], weights_.data());
        double mean = 0.0;
        for (const Mass& mass : sets_[s])
          if (mass.alpha > 0.0) mean += mass.alpha * slope(mass.row);
        gaps[s] = highest - mean;
      },
      kGrain);
  double square = 0.0;
  for (const double weight : weights_) square += weight * weight;
  return {std::accumulate(losses.begin(), losses.end(), 0.5 * lambda_ * square),
          std::accumulate(gaps.begin(), gaps.end(), 0.0)};
}

double StructuredSvm::solve_working_sets(double goal, int passes, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::size_t> order(sets_.size());
  std::iota(order.begin(), order.end(), 0);
  double gap = 0.0;
  for (int pass = 0; pass < passes; ++pass) {
    random.shuffle(order);
    gap = 0.0;
    for (const std::size_t s : order) gap += improve(sets_[s]);
    if (gap <= goal) break;
  }
  return gap;
}

// One exact move of mass to the row of the highest slope from the one of the lowest that has mass;
// the sentence's duality gap before it, within its working set.
double StructuredSvm::improve(std::vector<Mass>& set) {
  if (set.size() < 2) return 0.0;
  Mass *up = nullptr, *down = nullptr;
  double highest = 0.0, lowest = 0.0, mean = 0.0;
  for (Mass& mass : set) {
    const double value = slope(mass.row);
    if (up == nullptr || value > highest) {
      up = &mass;
      highest = value;
    }
    if (mass.alpha > 0.0) {
      mean += mass.alpha * value;
      if (down == nullptr || value < lowest) {
        down = &mass;
        lowest = value;
      }
    }
  }
  if (down == nullptr || !(highest > lowest)) return 0.0;
  const double square = squared_distance(pool_, up->row, down->row);
  double amount = down->alpha;
  if (square > 0.0) amount = std::min(amount, lambda_ * (highest - lowest) / square);
  up->alpha += amount;
  down->alpha -= amount;
  pool_.add_to(weights_.data(), up->row, -amount / lambda_);
  pool_.add_to(weights_.data(), down->row, amount / lambda_);
  return highest - mean;
}

}  // namespace tunesmith::tune
