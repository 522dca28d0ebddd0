// Statistics of TER (Snover et al. 2006) with the search of sacreBLEU, which follows Tercom.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics/preprocess.hh"
#include "metrics/scorer.hh"
#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {

// Edits × number of references, Σ of the references' lengths: sacreBLEU divides the fewest edits
// by the average length, and this keeps both whole.
class TerScorer final : public SegmentScorer {
 public:
  TerScorer(Preprocess preprocess, const References& references);
  int size() const override { return 2; }
  std::uint32_t sentences() const override { return words_.tables(); }
  void stats(std::uint32_t sentence, std::string_view hypothesis, std::int32_t* out) const override;

 private:
  Preprocess preprocess_;
  std::size_t references_;
  SymbolTables words_;
  std::vector<std::uint32_t> numbers_;  // the words of all references, one after the other
  std::vector<std::uint64_t> starts_;   // of each reference in numbers_, and the end
  std::vector<std::uint32_t> counts_;   // distinct words of each sentence
};

}  // namespace tunesmith::metrics
