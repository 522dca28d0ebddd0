// Pairwise ranking as binary classification: two losses of the margin w · (h(good) − h(bad)).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"
#include "tune/pair_sampler.hh"

namespace tunesmith::tune {

struct PairwiseResult {
  std::vector<double> weights;
  double objective;
  int iterations;
  bool converged;
};

// argmin_w λ/2 ‖w‖² + Σ_pairs log(1 + exp(−margin)), by L-BFGS from `start`.
PairwiseResult fit_logistic(const PoolView& pool, std::span<const Pair> pairs, double lambda,
                            std::span<const double> start, double tolerance, int iterations,
                            int threads);

// argmin_w λ/2 ‖w‖² + Σ_pairs max(0, 1 − margin), by dual coordinate descent (Hsieh et al. 2008):
// one multiplier in [0, 1/λ] per pair, visited in random order with w kept up to date. Stops when
// the multipliers' projected gradients lie within `tolerance` of each other.
PairwiseResult fit_hinge(const PoolView& pool, std::span<const Pair> pairs, double lambda,
                         double tolerance, int iterations, std::uint64_t seed);

}  // namespace tunesmith::tune
