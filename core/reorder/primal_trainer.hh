// Multinomial logistic regression in the primal (Eq. 6–8 of Alrajeh & Niranjan 2014): stochastic
// gradient descent as Bottou (2010, 2012) advises.
//
// The objective, divided by the number of examples N, is the mean of λ/2 ‖w‖² − log p(class of i)
// with λ = 1 / σ²N. Step t has the rate η₀ / (1 + η₀ λ t); η₀ is found by trying on some examples.
// w = scale · v, so that the decay of all weights is one multiplication. For the average of all w
// since the end of the first pass (Xu 2011), Σ w = A v + u with A the sum of scales: a change of v
// by d changes u by −A d, and nothing else has to be touched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.hh"
#include "reorder/examples.hh"

namespace tunesmith::reorder {

struct PrimalOptions {
  double variance = 1.0;  // σ²
  double rate = 0.0;      // η₀; 0: found by trying
  bool averaged = false;
  std::uint64_t seed = 1;
};

// All that a run goes on with.
struct PrimalState {
  std::vector<double> raw;      // v, by feature, then by class
  std::vector<double> lagging;  // u; empty without averages
  double rate = 0.0, scale = 1.0, sum_of_scales = 0.0, averaged_steps = 0.0;
  std::uint64_t passes = 0;
};

class PrimalTrainer {
 public:
  // The examples must have been checked and live as long as the trainer.
  PrimalTrainer(const Examples& examples, const PrimalOptions& options);
  PrimalTrainer(const Examples& examples, const PrimalOptions& options, PrimalState state);

  void pass();
  std::vector<double> weights() const;
  const PrimalState& state() const { return state_; }
  std::size_t examples() const { return examples_.size(); }

 private:
  template <int K>
  void step(std::uint32_t example, std::uint64_t number);
  void rescale();
  void try_rates();
  PrimalState fresh() const;

  Examples examples_;
  PrimalOptions options_;
  PrimalState state_;
};

}  // namespace tunesmith::reorder
