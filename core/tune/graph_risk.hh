// Expected BLEU of graphs and its gradient (Rosti et al. 2011; Li & Eisner 2009).
//
// A derivation is drawn with P_w(d) ∝ exp(w · h(d)). The objective is the gain of the expected
// statistics of the corpus: for every reference n-gram its expected count, clipped at the
// reference's, and the expected length. Its gradient needs two sweeps over every graph: expected
// counts by inside–outside; then, with the gain made linear at their sums, the covariance of that
// linear gain with the features, by a first-order expectation semiring.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bleu_space.hh"

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

  const graph::BleuSpace& space() const { return space_; }

 private:
  // What the two sweeps share of a sentence; a place is a state of a node.
  struct Sentence {
    std::vector<double> scores;                     // [edges]
    std::vector<double> inside, outside;            // [places] log sums
    std::vector<double> gain_inside, gain_outside;  // [places] expected linear gain
    std::vector<double> counts;                     // [reference n-grams] expected
    double length = 0.0;                            // expected
    std::vector<double> stats;                      // expected
    std::vector<double> gradient;                   // [features met] of the linear gain
    std::vector<std::uint32_t> features;            // which they are, ascending
  };
  class Walker;

  void expect(std::size_t s);
  void differentiate(std::size_t s);
  // slopes_: what one more of each statistic adds to the gain at sums_.
  void linearise();

  const graph::BleuSpace& space_;
  const metrics::Gain& gain_;
  std::vector<double> scale_;
  double factor_, l2_;
  int threads_;
  std::vector<double> weights_;  // for features as they are
  std::vector<Sentence> sentences_;
  std::vector<double> sums_, slopes_;
};

}  // namespace tunesmith::tune
