#include "align/trainer.hh"

#include <algorithm>
#include <numeric>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {

AlignmentTrainer::AlignmentTrainer(const PairView& text, int threads)
    : text_(text),
      threads_(engine::resolve_threads(threads)),
      occurrences_(find_occurrences(text_)),
      pair_counts_(count_pairs(text_, occurrences_, threads_)),
      distinct_pairs_(std::accumulate(pair_counts_.begin(), pair_counts_.end(), std::uint64_t{0})) {
}

AlignmentTrainer::AlignmentTrainer(const PairView& text, Lexicon given)
    : lexicon(std::move(given)), text_(text), threads_(1), occurrences_(find_occurrences(text_)) {
  if (lexicon.source_words() != text.source.vocabulary ||
      lexicon.target_words() != text.target.vocabulary)
    throw OptionError("a lexicon of other words than the text's");
}

std::uint64_t AlignmentTrainer::memory(bool ibm1_first, bool agreement) const {
  constexpr std::uint64_t kPairBytes = 12;    // target word, two probabilities
  constexpr std::uint64_t kSourceBytes = 16;  // occurrence, sentence, normaliser
  constexpr std::uint64_t kTargetBytes = 4;   // normaliser
  constexpr std::uint64_t kWordBytes = 24;    // per thread, a row spread out
  constexpr std::uint64_t kColumnBytes = 8 * 12;
  constexpr std::uint64_t kBlockBytes = 16 << 20;  // per thread, a block of pairs
  const std::uint64_t tokens =
      text_.source.words.size() * kSourceBytes + text_.target.words.size() * kTargetBytes;
  const std::uint64_t ibm1 =
      distinct_pairs_ * kPairBytes + tokens +
      text_.target.vocabulary * (kWordBytes * static_cast<std::uint64_t>(threads_) + kColumnBytes);
  const std::uint64_t kept = ibm1_first ? distinct_pairs_ / 4 : distinct_pairs_;
  const std::uint64_t em = distinct_pairs_ * kPairBytes + kept * (agreement ? 8 : 16) +
                           static_cast<std::uint64_t>(threads_) * kBlockBytes;
  return std::max(ibm1, em);
}

void AlignmentTrainer::start() {
  lexicon = make_lexicon(text_, occurrences_, pair_counts_, threads_);
  pair_counts_ = {};
}

void AlignmentTrainer::check_ibm1() const {
  if (occurrences_.rows.empty()) throw OptionError("model 1 cannot follow other models");
}

Normalisers AlignmentTrainer::normalisers(const StepOptions& options, std::size_t first,
                                          std::size_t last) const {
  check_ibm1();
  return ibm1_normalisers(text_, occurrences_, lexicon, options, first, last);
}

void AlignmentTrainer::rows(const Normalisers& all, const StepOptions& options, std::uint32_t first,
                            std::uint32_t last) {
  check_ibm1();
  ibm1_rows(text_, occurrences_, all, options, first, last, lexicon);
}

LogLikelihood AlignmentTrainer::finish_ibm1(const Normalisers& all, const StepOptions& options) {
  return ibm1_finish(text_, all, options, lexicon);
}

ExpectedCounts AlignmentTrainer::expect(const StepOptions& options, std::size_t first,
                                        std::size_t last) {
  occurrences_ = {};
  return align::expect(text_, lexicon, forward, reverse, options, first, last);
}

LogLikelihood AlignmentTrainer::maximise(std::vector<ExpectedCounts> shards,
                                         const StepOptions& options) {
  return align::maximise(std::move(shards), options, lexicon, forward, reverse);
}

}  // namespace tunesmith::align
