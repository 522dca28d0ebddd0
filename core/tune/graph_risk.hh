// The objective of lb-risk: expected BLEU of graphs (graph/expected_bleu.hh) and the size of the
// weights.
#pragma once

#include <span>
#include <vector>

#include "graph/expected_bleu.hh"

namespace tunesmith::tune {

class GraphRisk {
 public:
  // Features are divided by `scale`. The objective is l2/2 ‖w‖² − factor · gain(…). All but the
  // numbers must outlive this.
  GraphRisk(const graph::BleuSpace& space, const metrics::Gain& gain, std::span<const double> scale,
            double factor, double l2, int threads);

  // The objective at w (for scaled features); its gradient is written to the second argument.
  double operator()(std::span<const double> weights, std::span<double> gradient);
  // The expected statistics of the last call, summed.
  const std::vector<double>& expected() const { return sums_; }

  // At most `iterations` of L-BFGS, changing the weights in place; the objective at the end.
  double descend(std::vector<double>& weights, int iterations);

  const graph::BleuSpace& space() const { return expected_.space(); }

 private:
  graph::ExpectedBleu expected_;
  std::vector<double> scale_;
  double factor_, l2_;
  std::vector<double> weights_;  // for features as they are
  std::vector<double> sums_;
};

}  // namespace tunesmith::tune
