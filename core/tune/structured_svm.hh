// A latent structured SVM on k-best lists (Yu & Joachims 2009; Cherry & Foster 2012, section 3.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

// With an oracle e* fixed for every sentence, minimises
//
//   λ/2 ‖w‖² + Σ_sentences max_e [cost(e) + w · h(e)] − w · h(e*)
//
// by cutting planes (Tsochantaridis et al. 2004): find each sentence's most violated constraint,
// add it to the sentence's working set, solve the quadratic programme over the working sets, until
// the duality gap is closed. The dual has a distribution α over the rows of every sentence, all of
// it on the oracle at first, and w = 1/λ Σ (h(e*) − Σ_e α_e h(e)); it is solved by moving mass
// between two rows of a sentence at a time, with w kept up to date (Platt 1999; Hsieh et al. 2008).
class StructuredSvm {
 public:
  // `costs` holds, by row, what the hypothesis lacks to the best of its sentence: rows of cost 0
  // are the oracle set. Pool and costs are borrowed.
  StructuredSvm(const PoolView& pool, std::span<const double> costs, double lambda,
                std::span<const double> start, int threads);

  // Takes from every oracle set the row that the weights score highest, of equals the oracle so far
  // or else the first; the number of sentences whose oracle changed. The distributions α stay, so
  // little work is lost.
  std::int64_t select_oracles();

  struct Result {
    double objective;
    double gap;  // at most this much above the optimum
    int rounds;
  };
  // Cuts until gap ≤ tolerance × objective, for `rounds` rounds at most.
  Result optimise(double tolerance, int rounds, std::uint64_t seed);

  const std::vector<double>& weights() const { return weights_; }

 private:
  struct Mass {
    std::int64_t row;
    double alpha;
  };
  struct Bounds {
    double primal;
    double gap;
  };

  Bounds find_violations();
  double solve_working_sets(double goal, int passes, std::uint64_t seed);
  double improve(std::vector<Mass>& set);
  double slope(std::int64_t row) const { return costs_[row] + pool_.score(row, weights_.data()); }

  const PoolView& pool_;
  std::span<const double> costs_;
  double lambda_;
  int threads_;
  std::vector<double> start_;  // breaks the ties of the first oracles
  std::vector<double> weights_;
  std::vector<std::int64_t> oracles_;
  std::vector<std::vector<Mass>> sets_;   // by sentence: the working set
  std::vector<std::int64_t> violations_;  // by sentence: the row of the highest slope
};

}  // namespace tunesmith::tune
