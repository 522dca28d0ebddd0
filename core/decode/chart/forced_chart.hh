// Forced decoding with a grammar: all derivations that make a given translation, exactly.
//
// 1. The chart says which rules fit where in the source (cky_chart.hh). But an item is a span of
//    the source, a label and a span of the target: a rule makes one where its words stand in the
//    target, around the spans of the items in its gaps.
// 2. All derivations of an item have the same words and so the same language-model states; nothing
//    is pruned, and no limits hold but the longest span of a rule.
// 3. Glue rules put the sentence together from left to right: S has the first words of the target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/chart/cky_chart.hh"

namespace tunesmith::decode {

class ForcedChart final : public CkyChart {
 public:
  // The model must outlive this.
  ForcedChart(const ChartModel& model, std::span<const double> weights,
              const ChartOptions& options);

  // Fills `forest`, which reaches its goal if there is any derivation. Throws OptionError for a
  // lattice, and for walls and zones.
  void run(const ChartInput& input, const ChartGrammar& grammar,
           const std::vector<std::string>& target, ChartForest& forest);

 private:
  struct Place {
    int begin = 0, end = 0;  // words of the target
  };

  bool fill_cell(const Cell& cell) override;
  void place_rule(std::uint32_t rule, const std::uint32_t (&cells)[2], int begin, int end);
  // The target side as words of the target (their numbers, or kMissing) and places of gaps.
  void read_target_side(const ScoredRule& rule);
  // Where the target side stands if it begins at `at`, with these items in its gaps.
  bool fits(const std::uint32_t (&tails)[2], int at, Place& place) const;
  void add_edge(std::uint32_t rule, const std::uint32_t (&tails)[2], Place place, int begin,
                int end);
  void glue_together();
  StringIndex words_;                                      // of the target
  std::vector<grammar::Symbol> target_;                    // their numbers
  std::vector<grammar::Symbol> side_;                      // of read_target_side
  std::vector<std::vector<std::uint32_t>> items_;          // by cell
  std::vector<Place> places_;                              // by item
  std::unordered_map<std::uint64_t, std::uint32_t> here_;  // items of the cell by their places
};

}  // namespace tunesmith::decode
