// Everything that training keeps: the text, the lexicon and both directions.
#pragma once

#include "align/train.hh"

namespace tunesmith::align {

class AlignmentTrainer {
 public:
  // The text must outlive the trainer. Counts the word pairs, so that memory() is known before the
  // lexicon is made.
  AlignmentTrainer(const PairView& text, int threads);

  std::uint64_t distinct_pairs() const { return distinct_pairs_; }
  // Bytes that training will hold beside the text, at its peak. `ibm1_first`: most pairs are pruned
  // after model 1, before other models need counts for them.
  std::uint64_t memory(bool ibm1_first, bool agreement) const;

  // Makes the lexicon, uniform.
  void start();
  // Iterations; ibm1 cannot follow em.
  LogLikelihood ibm1(const StepOptions& options);
  LogLikelihood em(const StepOptions& options);

  Lexicon lexicon;
  Direction forward, reverse;

 private:
  PairView text_;
  int threads_;
  Occurrences occurrences_;
  std::vector<std::uint64_t> pair_counts_;
  std::uint64_t distinct_pairs_ = 0;
};

}  // namespace tunesmith::align
