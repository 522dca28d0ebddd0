// Kneser–Ney estimation of models that are larger than the memory for it: streams of records that
// are sorted in temporary files (Heafield et al. 2013).
#pragma once

#include <string>
#include <vector>

#include "lm/corpus.hh"
#include "lm/kneser_ney.hh"
#include "lm/record_file.hh"

namespace tunesmith::lm {

// The n-grams of a model in files, in the order of sort_ngrams(). A record of order n is the n
// words, the last first, then the bits of log10 p and of the back-off weight.
struct StoredNgrams {
  StringIndex vocabulary;
  std::vector<RecordFile> orders;
  std::vector<std::uint64_t> counts;
};

struct StoredEstimate {
  StoredNgrams ngrams;
  std::vector<Discounts> discounts;
  std::vector<std::uint64_t> unpruned;
};

StoredEstimate estimate_in_files(Corpus& corpus, const EstimateOptions& options,
                                 const std::vector<bool>& allowed);

void write_arpa(StoredNgrams& ngrams, const std::function<void(std::string_view)>& write);

// Into memory, for build_model().
Ngrams load(StoredNgrams&& ngrams);

}  // namespace tunesmith::lm
