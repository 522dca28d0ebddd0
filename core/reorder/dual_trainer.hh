// Multinomial logistic regression in the dual: the shrinking stochastic exponentiated gradient
// method of Alrajeh & Niranjan (2014), Algorithm 1.
//
// Example i has a distribution α_i over classes, and w_k = σ² Σ_i (p̃_ik − α_ik) φ_i (Eq. 10) is
// kept up to date. A pass visits the active examples in random order:
//  1. ∇_ik = 1 + log α_ik + w_y · φ_i − w_k · φ_i (Eq. 12), v_i = max_k ∇_ik − min_k ∇_ik (Eq. 16);
//  2. v_i ≤ ε: the example is as good as optimal and leaves the active set;
//  3. otherwise α'_ik ∝ α_ik exp(−η ∇_ik) (Eq. 11), with η from a first value (the paper has 0.5),
//     halved until D(α') ≤ D(α) (Eq. 13), and w changes by −σ² (α' − α) φ_i (Eq. 14).
// What is equal for all classes changes neither v nor α', so step 1 leaves it out.
//
// α is kept as the float of its logarithm, and is normalised whenever it is read: then every α_i is
// a distribution, small values are as exact as large ones, and step 2 needs no logarithm. Changes
// of w are made of the values as they were stored, so w fits α however often they change.
//
// With several parts, each walks over its own range of the active set on its own copy of w, in
// which its changes count `parts`-fold; then all changes are added up. A part so minimises a bound
// of D that holds whatever the others do (CoCoA+: Ma et al. 2015; Eq. 13's last term times
// `parts`). D never rises, and the fixed point is the same. Parts are an option of their own: the
// result does not depend on threads.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reorder/examples.hh"

namespace tunesmith::reorder {

struct DualOptions {
  double variance = 1.0;   // σ²
  double tolerance = 0.1;  // ε of shrinking
  double start = 1e-3;     // ϵ of Eq. 15: what the wrong classes have at first
  double rate = 0.0;       // the first η; 0: 1 / (1 + σ²‖φ‖² / 4)
  int trials = 10;         // values of η at the most (maxTrial)
  int parts = 1;
  std::uint64_t seed = 1;
};

struct DualPass {
  std::uint64_t visited = 0, changed = 0;
};

class DualTrainer {
 public:
  // Starts with Eq. 15. The examples must have been checked and live as long as the trainer.
  DualTrainer(const Examples& examples, const DualOptions& options);
  // Goes on with what log_alpha(), weights(), active() and passes() said; throws OptionError where
  // that does not fit the examples.
  DualTrainer(const Examples& examples, const DualOptions& options,
              std::span<const float> log_alpha, std::span<const double> weights,
              std::span<const std::uint32_t> active, std::uint64_t passes);

  DualPass pass(int threads);
  // All examples are active again.
  void recheck();

  // D(α), Eq. 9.
  double objective(int threads) const;

  std::span<const float> log_alpha() const { return log_alpha_; }  // [example][class]
  std::span<const double> weights() const { return weights_; }     // [feature][class]
  std::span<const std::uint32_t> active() const { return active_; }
  std::uint64_t passes() const { return passes_; }

 private:
  template <int K>
  DualPass walk(std::size_t begin, std::size_t end, int part, int parts, double* weights);

  Examples examples_;
  DualOptions options_;
  std::vector<float> log_alpha_;
  std::vector<double> weights_;
  std::vector<std::uint32_t> active_;  // ascending
  std::vector<std::uint8_t> dropped_;  // by example: it was active, and is not any more
  std::uint64_t passes_ = 0;
};

}  // namespace tunesmith::reorder
