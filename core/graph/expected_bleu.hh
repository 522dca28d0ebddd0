// Expected BLEU of graphs and its gradient (Rosti et al. 2011; Li & Eisner 2009).
//
// A derivation is drawn with P_w(d) ∝ exp(w · h(d)). What is maximised is the gain of the expected
// statistics of the corpus: for every reference n-gram its expected count, clipped at the
// reference's, and the expected length. Its gradient needs two sweeps over every graph: expected
// counts by inside–outside; then, with the gain made linear at their sums, the covariance of that
// linear gain with the features, by a first-order expectation semiring.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bleu_space.hh"
#include "graph/derivation.hh"

namespace tunesmith::graph {

class ExpectedBleu {
 public:
  // Space and gain must outlive this.
  ExpectedBleu(const BleuSpace& space, const metrics::Gain& gain, int threads);

  // The expected statistics of all sentences under the weights, summed.
  const std::vector<double>& expect(std::span<const double> weights);
  // Makes the gain linear at `sums`, and finds its gradient under the weights of expect().
  void differentiate(std::span<const double> sums);

  // Features that sentence s has met, ascending, and the gradient of its linear gain by them.
  std::span<const std::uint32_t> features(std::size_t s) const { return sentences_[s].features; }
  std::span<const double> gradient(std::size_t s) const { return sentences_[s].gradient; }
  // The same of all sentences together.
  FeatureSum total_gradient() const;
  // By how much the best derivation's linear gain exceeds the expected one.
  double lacks(std::size_t s) const { return sentences_[s].lacks; }

  const BleuSpace& space() const { return space_; }
  const metrics::Gain& gain() const { return gain_; }

 private:
  // What the two sweeps share of a sentence; a place is a state of a node.
  struct Sentence {
    std::vector<double> scores;                     // [edges]
    std::vector<double> inside, outside;            // [places] log sums
    std::vector<double> gain_inside, gain_outside;  // [places] expected linear gain
    std::vector<double> gain_best;                  // [places] the largest linear gain inside
    std::vector<double> counts;                     // [reference n-grams] expected
    double length = 0.0;                            // expected
    double lacks = 0.0;
    std::vector<double> stats;            // expected
    std::vector<double> gradient;         // [features met] of the linear gain
    std::vector<std::uint32_t> features;  // which they are, ascending
  };
  class Walker;

  void expect_sentence(std::size_t s);
  void differentiate_sentence(std::size_t s);
  // slopes_: what one more of each statistic adds to the gain at the sums.
  void linearise(std::span<const double> sums);

  const BleuSpace& space_;
  const metrics::Gain& gain_;
  int threads_;
  std::vector<double> weights_;
  std::vector<Sentence> sentences_;
  std::vector<double> sums_, slopes_;
};

}  // namespace tunesmith::graph
