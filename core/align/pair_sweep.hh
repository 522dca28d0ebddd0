// Posteriors of both directions for one sentence pair.
#pragma once

#include <vector>

#include "align/direction.hh"
#include "align/lexicon.hh"
#include "align/matrix.hh"

namespace tunesmith::align {

// The probability of a word pair that the lexicon lacks: new words, and pairs pruned away.
constexpr float kUnseenProbability = 1e-8F;

class PairSweep {
 public:
  // `places` is what BlockIndex gives for the pair. Counts may be null.
  void run(const LexiconView& lexicon, const Direction& forward, const Direction& reverse,
           std::span<const std::uint32_t> source, std::span<const std::uint32_t> target,
           const std::uint32_t* places, DirectionCounts* forward_counts,
           DirectionCounts* reverse_counts);

  // p(target word j is aligned to source word i) at [i], under p(target | source).
  const float* forward(std::size_t j) const { return forward_.data() + j * padded(n_); }
  // p(source word i is aligned to target word j) at [j], under p(source | target).
  const float* reverse(std::size_t i) const { return reverse_.data() + i * padded(m_); }
  double forward_log_likelihood() const { return forward_log_likelihood_; }
  double reverse_log_likelihood() const { return reverse_log_likelihood_; }

 private:
  std::uint32_t n_ = 0, m_ = 0;
  DirectionSweep sweep_;
  std::vector<float> forward_emission_, reverse_emission_, null_;
  std::vector<float> forward_, reverse_;
  double forward_log_likelihood_ = 0.0, reverse_log_likelihood_ = 0.0;
};

}  // namespace tunesmith::align
