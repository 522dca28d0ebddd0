// Minimum risk: the expected cost of hypotheses under P_w(e) ∝ exp(w · h(e)), by stochastic
// gradient descent (Smith & Eisner 2006; Cherry & Foster 2012, section 2.4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

// The objective: λ/2 ‖w‖² + Σ_sentences Σ_e P_w(e) cost(e).
double risk_objective(const PoolView& pool, std::span<const double> costs, double lambda,
                      std::span<const double> weights, int threads);

// Its gradient.
std::vector<double> risk_gradient(const PoolView& pool, std::span<const double> costs,
                                  double lambda, std::span<const double> weights, int threads);

struct RiskEpoch {
  double rate;    // η0
  double lambda;  // λ of the objective
  int batch;      // sentences whose gradients are taken at the same weights
  double time;    // sentences visited before, since the rate was set
};

// One epoch over the sentences in the given order, changing the weights in place. Sentence t (from
// 0 on) steps by η_t = η0 / (1 + η0 λ' t) acostst the gradient of λ'/2 ‖w‖² + its own loss, where
// λ' = λ / sentences (Bottou 2010). Gives back the time after it.
double risk_epoch(const PoolView& pool, std::span<const double> costs,
                  std::span<const std::int64_t> order, const RiskEpoch& options,
                  std::vector<double>& weights, int threads);

}  // namespace tunesmith::tune
