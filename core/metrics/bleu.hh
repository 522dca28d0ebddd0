// Statistics of BLEU (Papineni et al. 2002).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/ngram_tries.hh"
#include "metrics/preprocess.hh"
#include "metrics/scorer.hh"
#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {

struct BleuOptions {
  // Which reference's length the brevity penalty compares with: the closest (the shorter of two
  // equally close), the shortest, or the average of all.
  enum class Length { kClosest, kShortest, kAverage };

  int order = 4;
  Length length = Length::kClosest;
  Preprocess preprocess;
};

// Refuses an order that no n-gram has.
void check_bleu_order(int order);

// Matches of order 1..N, totals of order 1..N, hypothesis length, reference length; for the average
// reference length both lengths are times the number of references, so that they stay whole.
class BleuScorer final : public SegmentScorer {
 public:
  BleuScorer(BleuOptions options, const References& references);
  int size() const override { return 2 * options_.order + 2; }
  std::uint32_t sentences() const override { return words_.tables(); }
  void stats(std::uint32_t sentence, std::string_view hypothesis, std::int32_t* out) const override;

  // For those who count by themselves. Whether words stay words: BLEU of a text is that of its
  // words, each looked up by itself.
  bool takes_words() const { return options_.preprocess.tokenizer == Preprocess::Tokenizer::kNone; }
  int order() const { return options_.order; }
  // What a word adds to the statistic that is the hypothesis' length.
  int length_unit() const {
    return options_.length == BleuOptions::Length::kAverage ? static_cast<int>(references_) : 1;
  }
  // The number of a word among those of a sentence's references, or SymbolTables::kMissing.
  std::uint32_t symbol(std::uint32_t sentence, std::string_view word) const;
  std::span<const NgramTries::Node> ngrams(std::uint32_t sentence) const {
    return ngrams_.trie(sentence);
  }
  // Statistics of a hypothesis whose matches, out[0] to out[order − 1], and length are known.
  void complete(std::uint32_t sentence, std::int32_t length, std::int32_t* out) const;

 private:
  std::int32_t reference_length(std::uint32_t sentence, std::int32_t hypothesis_length) const;

  BleuOptions options_;
  std::size_t references_;
  SymbolTables words_;
  NgramTries ngrams_;
  std::vector<std::int32_t> lengths_;  // [sentence][reference]; of kShortest and kAverage only one
};

}  // namespace tunesmith::metrics
