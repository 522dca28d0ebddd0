// One iteration of IBM model 1 (Brown et al., 1993) for both directions at once.
//
//   p(a_j = i | f, e) = (1 − p0)/n · t(f_j | e_i) / z_j,    p(a_j = NULL | f, e) = p0 · t(f_j |
//   NULL) / z_j
//
// Work goes by source word, not by sentence: a row of the lexicon is spread over an array indexed
// by target word, and every place where the source word occurs is visited while it lies there. So
// the lexicon is read and written once, in order, and needs no search.
//   1. Per block of sentences: the normalisers z of both directions.
//   2. Per source word: expected counts of its row, replacing its probabilities.
//   3. Column sums in a fixed order, then the reverse direction is normalised.
// Each sum has one owner, so the result does not depend on the number of threads. Blocks and source
// words may be shared out: steps 1 and 2 are for a range of them, and what they give is put
// together in order.
#pragma once

#include "align/lexicon.hh"
#include "align/smoothing.hh"

namespace tunesmith::align {

struct StepOptions {
  double null_probability = 0.1;  // p0
  // Counts are products of both directions' posteriors: Liang et al. (2006), equation 5.
  bool agreement = true;
  Prior prior;
  int threads = 0;
};

// Natural logs of p(target | source) and p(source | target) before the step, lengths given.
struct LogLikelihood {
  double forward = 0.0, reverse = 0.0;
};

// Blocks of sentences, whatever the text.
constexpr std::size_t kIbm1Blocks = 32;

// What step 1 gives for a range of blocks: z of every word, 0 in pairs that are not used, and the
// likelihood of every block.
struct Normalisers {
  std::vector<float> target, source;
  std::vector<LogLikelihood> likelihoods;
};

Normalisers ibm1_normalisers(const PairView& text, const Occurrences& occurrences,
                             const Lexicon& lexicon, const StepOptions& options, std::size_t first,
                             std::size_t last);

// Those of all blocks, from shards in their order.
Normalisers joined(std::vector<Normalisers> shards);

// Step 2 for source words [first, last). After it `forward` has new probabilities in their rows,
// `reverse` counts.
void ibm1_rows(const PairView& text, const Occurrences& occurrences, const Normalisers& z,
               const StepOptions& options, std::uint32_t first, std::uint32_t last,
               Lexicon& lexicon);

// Step 3, when all rows are done, and the probabilities of NULL.
LogLikelihood ibm1_finish(const PairView& text, const Normalisers& z, const StepOptions& options,
                          Lexicon& lexicon);

}  // namespace tunesmith::align
