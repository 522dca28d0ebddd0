// Threads of the gradient tuners: every native loop gives the same with one and with several.
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/pool.hh"
#include "base/random.hh"
#include "metrics/gain.hh"
#include "tune/batch_mira.hh"
#include "tune/oracle.hh"
#include "tune/pair_sampler.hh"
#include "tune/pairwise.hh"
#include "tune/ramp.hh"
#include "tune/risk.hh"
#include "tune/spread.hh"
#include "tune/structured_svm.hh"

using namespace tunesmith;

namespace {

constexpr int kDense = 6, kSparse = 50, kStats = 2;

// A pool that owns its arrays: long enough that batches are worth threads.
struct OwnedPool {
  explicit OwnedPool(int sentences, int hypotheses) {
    Random random(1);
    offsets.push_back(0);
    sparse_offsets.push_back(0);
    for (int s = 0; s < sentences; ++s) {
      for (int e = 0; e < hypotheses; ++e) {
        for (int i = 0; i < kDense; ++i) dense.push_back(static_cast<float>(random.normal()));
        for (std::uint32_t id = 0; id < kSparse; ++id)
          if (random.below(4) == 0) {
            sparse_ids.push_back(id);
            sparse_values.push_back(static_cast<float>(random.normal()));
          }
        sparse_offsets.push_back(static_cast<std::int64_t>(sparse_ids.size()));
        stats.push_back(static_cast<std::int32_t>(random.below(1000)));
        stats.push_back(1);
        costs.push_back(1.0 - stats[stats.size() - 2] / 1000.0);
      }
      offsets.push_back(offsets.back() + hypotheses);
    }
    view.offsets = offsets;
    view.dense = dense.data();
    view.dense_size = kDense;
    view.sparse_offsets = sparse_offsets;
    view.sparse_ids = sparse_ids;
    view.sparse_values = sparse_values;
    view.sparse_size = kSparse;
    view.stats = stats.data();
    view.stats_size = kStats;
  }
  std::vector<std::int64_t> offsets, sparse_offsets;
  std::vector<float> dense, sparse_values;
  std::vector<std::uint32_t> sparse_ids;
  std::vector<std::int32_t> stats;
  std::vector<double> costs;
  PoolView view;
};

}  // namespace

int main() {
  const OwnedPool owned(60, 400);
  const PoolView& pool = owned.view;
  const metrics::MeanGain gain(1000.0, true);
  const std::vector<double> start(pool.features(), 0.1), background{0.5, 1.0};
  std::vector<std::int64_t> order(pool.sentences());
  std::iota(order.begin(), order.end(), 0);
  const std::vector<std::int64_t> first(pool.offsets.begin(), pool.offsets.end() - 1);

  auto mira = [&](int threads) {
    tune::BatchMira learner(pool, gain, start, background, {}, threads);
    learner.run_pass(order);
    return learner.average();
  };
  if (mira(1) != mira(4)) return 1;

  if (tune::greedy_oracle(pool, gain, first, false, 1) !=
      tune::greedy_oracle(pool, gain, first, false, 4))
    return 2;
  if (tune::spread_within(pool.offsets, pool.dense, kDense, 1) !=
      tune::spread_within(pool.offsets, pool.dense, kDense, 4))
    return 3;

  const tune::PairSampling sampling{.candidates = 200, .keep = 20};
  const std::vector<tune::Pair> pairs = tune::sample_pairs(pool, owned.costs, sampling, 7, 1);
  if (pairs != tune::sample_pairs(pool, owned.costs, sampling, 7, 4)) return 4;
  auto logistic = [&](int threads) {
    return tune::fit_logistic(pool, pairs, 1.0, start, 1e-5, 50, threads).weights;
  };
  if (logistic(1) != logistic(4)) return 5;

  auto risk = [&](int threads) {
    std::vector<double> w = start;
    tune::risk_epoch(pool, owned.costs, order,
                     {.rate = 0.01, .lambda = 1.0, .batch = 32, .time = 0.0}, w, threads);
    return w;
  };
  if (risk(1) != risk(4)) return 6;
  if (tune::risk_gradient(pool, owned.costs, 1.0, start, 1) !=
      tune::risk_gradient(pool, owned.costs, 1.0, start, 4))
    return 7;

  auto svm = [&](int threads) {
    tune::StructuredSvm learner(pool, owned.costs, 1.0, start, threads);
    learner.select_oracles();
    learner.optimise(1e-3, 10, 1);
    learner.select_oracles();
    return learner.weights();
  };
  if (svm(1) != svm(4)) return 8;

  auto ramp = [&](int threads) {
    const auto hopes = tune::augmented_best(pool, owned.costs, -1.0, start, threads);
    std::vector<double> scores(pool.rows(), 0.0), deviation(pool.features(), 0.0);
    tune::ramp_epoch(pool, owned.costs, hopes, order, scores,
                     {.fear_factor = 1.0, .rate = 0.01, .lambda = 0.1, .batch = 32}, deviation,
                     threads);
    return deviation;
  };
  if (ramp(1) != ramp(4)) return 9;
  return 0;
}
