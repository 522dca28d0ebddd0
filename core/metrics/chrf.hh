// Statistics of chrF and chrF++ (Popović 2015, 2017).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics/gain.hh"
#include "metrics/ngram_tries.hh"
#include "metrics/preprocess.hh"
#include "metrics/scorer.hh"
#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {

struct ChrfOptions {
  int char_order = 6;
  int word_order = 0;  // 2 makes it chrF++
  double beta = 2.0;
  bool whitespace = false;  // whether white space counts as characters
  bool eps_smoothing = false;
  Preprocess preprocess;
};

// Refuses orders that no n-gram has.
void check_chrf_orders(const ChrfOptions& options);

// chrF++'s words: one punctuation mark comes off the end or, if there is none, off the start.
void split_chrf_words(std::string_view text, std::vector<std::string_view>& words);

// N-grams of the hypothesis, of the reference and in both, for each order of characters and then of
// words; of the reference with the best score.
class ChrfScorer final : public SegmentScorer {
 public:
  ChrfScorer(ChrfOptions options, const References& references);
  int size() const override { return gain_.size(); }
  std::uint32_t sentences() const override { return characters_.symbols.tables(); }
  void stats(std::uint32_t sentence, std::string_view hypothesis, std::int32_t* out) const override;

 private:
  // N-grams of one kind of symbol: characters or words.
  struct Side {
    explicit Side(int order) : tries(order) {}
    void add(const std::vector<std::vector<std::string_view>>& references);
    void stats(std::uint32_t sentence, std::size_t reference, std::size_t references,
               const std::vector<std::uint32_t>& hypothesis, std::int32_t* out) const;

    SymbolTables symbols;               // of each sentence
    NgramTries tries;                   // of each sentence's references, one after the other
    std::vector<std::int32_t> lengths;  // in symbols, likewise
  };

  ChrfOptions options_;
  std::size_t references_;
  ChrfGain gain_;
  Side characters_, words_;
};

}  // namespace tunesmith::metrics
