// Structured ramp loss (Gimpel & Smith 2012): RAMPION's two alternating parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

// [sentences] the first row of the highest w · h(e) + factor × cost(e).
std::vector<std::int64_t> augmented_best(const PoolView& pool, std::span<const double> costs,
                                         double factor, std::span<const double> weights,
                                         int threads);

struct RampEpoch {
  double fear_factor;  // the negative examples are argmax w · h + fear_factor × cost
  double rate;         // η
  double lambda;       // λ of λ/2 ‖w − anchor‖² + the mean loss of the sentences
  int batch;           // sentences whose negative examples are found with the same weights
};

// One pass of subgradient descent with the positive examples `hopes` fixed: for every sentence,
//   w ← w − η (λ (w − anchor) + h(fear) − h(hope)).
// `deviation` is w − anchor and changes in place; `anchor_scores` holds anchor · h by row. Gives
// back the mean over the sentences of w · (h(fear) − h(hope)) + fear_factor × cost(fear).
double ramp_epoch(const PoolView& pool, std::span<const double> costs,
                  std::span<const std::int64_t> hopes, std::span<const std::int64_t> order,
                  std::span<const double> anchor_scores, const RampEpoch& options,
                  std::vector<double>& deviation, int threads);

}  // namespace tunesmith::tune
