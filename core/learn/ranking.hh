// Multipartite pairwise ranking of a list of translations (Simianer, Riezler & Dyer 2012, §4.1 and
// Figure 3): a list that is sorted by BLEU has three levels, and a better level should score above
// a worse one. Inside a level nothing is compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::learn {

struct RankingOptions {
  // Parts of a list that are its highest and its lowest level.
  double level_share = 0.1;
  // Pairs whose difference of scores is at most this are mended: 0 is the perceptron's loss,
  // (−⟨w, x̄⟩)₊, 1 the hinge loss, (1 − ⟨w, x̄⟩)₊.
  double margin = 0.0;
};

// HI is order[0, high_end), MID is order[high_end, low_begin), LOW the rest.
struct RankingLevels {
  std::vector<std::uint32_t> order;  // by descending gain; of equals, as they were
  std::size_t high_end = 0, low_begin = 0;
};

// Translations of equal gain are on one level: at a border all join the outer one.
RankingLevels ranking_levels(std::span<const double> gains, double level_share);

// The features of the translations of a list: row k is entries [offsets[k], offsets[k + 1]).
struct FeatureRows {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;

  std::size_t rows() const { return offsets.size() - 1; }
  void add(std::uint32_t column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
  void end_row() { offsets.push_back(columns.size()); }
  double dot(std::size_t row, std::span<const double> weights) const;
};

struct RankingUpdate {
  // How often each translation was the better one of a pair that was mended, less how often the
  // worse: the weights moved by rate · Σ_k coefficients[k] · row k.
  std::vector<double> coefficients;
  std::uint64_t pairs = 0, mended = 0;
};

// Algorithm 1, inner loop: for all pairs x̄ = x_better − x_worse in order, w ← w + η x̄ where
// ⟨w, x̄⟩ is at most the margin. `weights` and `rates` (η) have an entry for each column; `constant`
// is what a translation scores beside them.
RankingUpdate rank_pairs(const FeatureRows& rows, std::span<const double> gains,
                         std::span<const double> constant, std::span<const double> rates,
                         const RankingOptions& options, std::span<double> weights);

}  // namespace tunesmith::learn
