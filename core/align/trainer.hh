// Everything that training keeps: the text, the lexicon and both directions.
#pragma once

#include "align/train.hh"

namespace tunesmith::align {

class AlignmentTrainer {
 public:
  // The text must outlive the trainer. Counts the word pairs, so that memory() is known before the
  // lexicon is made.
  AlignmentTrainer(const PairView& text, int threads);
  // A trainer that does some of another's work, with its lexicon.
  AlignmentTrainer(const PairView& text, Lexicon lexicon);

  std::uint64_t distinct_pairs() const { return distinct_pairs_; }
  // Bytes that training will hold beside the text, at its peak. `ibm1_first`: most pairs are pruned
  // after model 1, before other models need counts for them.
  std::uint64_t memory(bool ibm1_first, bool agreement) const;

  // Makes the lexicon, uniform.
  void start();
  // An iteration of model 1, in parts that may be done elsewhere (ibm1.hh); it cannot follow
  // others.
  Normalisers normalisers(const StepOptions& options, std::size_t first, std::size_t last) const;
  void rows(const Normalisers& all, const StepOptions& options, std::uint32_t first,
            std::uint32_t last);
  LogLikelihood finish_ibm1(const Normalisers& all, const StepOptions& options);

  // An iteration of the other models (train.hh).
  std::size_t blocks() const { return cut_into_blocks(text_).size(); }
  ExpectedCounts expect(const StepOptions& options, std::size_t first, std::size_t last);
  LogLikelihood maximise(std::vector<ExpectedCounts> shards, const StepOptions& options);

  Lexicon lexicon;
  Direction forward, reverse;

 private:
  void check_ibm1() const;

  PairView text_;
  int threads_;
  Occurrences occurrences_;
  std::vector<std::uint64_t> pair_counts_;
  std::uint64_t distinct_pairs_ = 0;
};

}  // namespace tunesmith::align
