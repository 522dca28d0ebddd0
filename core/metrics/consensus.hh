// What a text of a list gains on average where any text of the list may be the reference: the gain
// that minimum Bayes risk decoding maximises (Kumar & Byrne 2004; Eikema & Aziz 2020).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/gain.hh"
#include "metrics/overlap.hh"
#include "metrics/scorer.hh"

namespace tunesmith::metrics {

// Texts of many lists, one after the other: list l has the rows offsets[l] to offsets[l + 1].
struct TextLists {
  std::span<const std::string_view> texts;
  std::span<const std::int64_t> offsets;
  // The probability of each text, in its list.
  std::span<const double> weights;

  std::size_t size() const { return offsets.size() - 1; }
};

// out[row] = Σ_j weights[j] gain(row against j) over all j of its list, the row itself among them.
// Memory grows with the words of a list, not with their square. Lists go to threads.
void expected_gains(const OverlapMetric& metric, const Gain& gain, const TextLists& lists,
                    double* out, int threads);

// The same of any metric: row j is the reference of the scorer's sentence j.
void expected_gains(const SegmentScorer& scorer, const Gain& gain, const TextLists& lists,
                    double* out, int threads);

// out[row] = gain(row against the average of its list): n-grams count as often as on average
// (reference aggregation, Vamvas & Sennrich 2024). The work grows with the words of a list.
void aggregated_gains(const OverlapMetric& metric, const Gain& gain, const TextLists& lists,
                      double* out, int threads);

}  // namespace tunesmith::metrics
