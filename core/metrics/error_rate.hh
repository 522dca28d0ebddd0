// Statistics of the word and the character error rate, as jiwer counts them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "metrics/edit_distance.hh"
#include "metrics/preprocess.hh"
#include "metrics/scorer.hh"
#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {

enum class ErrorUnit { kWord, kCharacter };

// Errors, reference length; of the reference with the fewest errors, and of those the longest.
class ErrorRateScorer final : public SegmentScorer {
 public:
  ErrorRateScorer(ErrorUnit unit, Preprocess preprocess, const References& references);
  int size() const override { return 2; }
  std::uint32_t sentences() const override { return symbols_.tables(); }
  void stats(std::uint32_t sentence, std::string_view hypothesis, std::int32_t* out) const override;

 private:
  void split(std::string_view text, std::vector<std::string_view>& symbols) const;

  ErrorUnit unit_;
  Preprocess preprocess_;
  std::size_t references_;
  SymbolTables symbols_;
  EditPatterns patterns_;
};

}  // namespace tunesmith::metrics
