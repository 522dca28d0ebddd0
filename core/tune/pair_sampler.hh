// Pairs of hypotheses for pairwise ranking (Hopkins & May 2011, figure 4).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

struct PairSampling {
  // Accept a candidate pair by its difference in gain: all from `threshold` up (section 3.1 of the
  // paper), or with probability 2 σ(difference / softness) − 1.
  enum class Acceptance { kThreshold, kSigmoid } acceptance = Acceptance::kThreshold;
  int candidates = 5000;  // Γ: pairs drawn for each sentence, uniformly and with replacement
  int keep = 50;          // Ξ: of the accepted pairs, those with the greatest differences
  double threshold = 0.05;
  double softness = 0.1;
};

struct Pair {
  std::int64_t good;  // the row with the higher gain
  std::int64_t bad;
  friend bool operator==(const Pair&, const Pair&) = default;
};

// The pairs of all sentences, in the order of the sentences and then of their drawing. A pair of
// equal gains is never accepted. Every sentence has its own stream of random numbers.
std::vector<Pair> sample_pairs(const PoolView& pool, std::span<const double> gains,
                               const PairSampling& options, std::uint64_t seed, int threads);

}  // namespace tunesmith::tune
