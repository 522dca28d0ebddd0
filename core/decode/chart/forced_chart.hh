// Forced decoding with a grammar: all derivations that make a given translation, exactly.
//
// 1. As in chart search, spans of the source are filled from short to long, and dotted rules grow
// by
//    words and cells. But an item is a span of the source, a label and a span of the target: a rule
//    makes one where its words stand in the target, around the spans of the items in its gaps.
// 2. All derivations of an item have the same words and so the same language-model states; nothing
// is
//    pruned, and no limits hold but the longest span of a rule.
// 3. Glue rules put the sentence together from left to right: S has the first words of the target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "decode/chart/chart_forest.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/chart_options.hh"
#include "decode/chart/scored_rules.hh"

namespace tunesmith::decode {

class ForcedChart {
 public:
  // The model must outlive this.
  ForcedChart(const ChartModel& model, std::span<const double> weights,
              const ChartOptions& options);

  // Fills `forest`, which reaches its goal if there is any derivation. Throws OptionError for a
  // lattice, and for walls and zones.
  void run(const ChartInput& input, const ChartGrammar& grammar,
           const std::vector<std::string>& target, ChartForest& forest);
  const ScoredRules& rules() const { return rules_; }

 private:
  struct Place {
    int begin = 0, end = 0;  // words of the target
  };
  struct Cell {
    std::int32_t label = 0;
    std::vector<std::uint32_t> items;
  };
  struct Dotted {
    std::uint32_t node = 0;
    std::uint32_t cells[2] = {kNothing, kNothing};
    int tails = 0;
  };
  // Rules of one label with the cells of their gaps.
  struct Complete {
    std::uint32_t rule_begin = 0, rule_end = 0;
    std::uint32_t cells[2] = {kNothing, kNothing};
    std::int32_t label = 0;
  };

  void fill_span(int begin, int end);
  void grow_dotted(int begin, int end);
  void add_dotted(const Dotted& grown, int begin, int end);
  // Makes a cell of all rules of a label that are complete; kNothing if nothing fits the target.
  std::uint32_t fill_cell(std::int32_t label, int begin, int end);
  void place_rule(std::uint32_t rule, const std::uint32_t (&cells)[2], int begin, int end);
  // The target side as words of the target (their numbers, or kMissing) and places of gaps.
  void read_target_side(const ScoredRule& rule);
  // Where the target side stands if it begins at `at`, with these items in its gaps.
  bool fits(const std::uint32_t (&tails)[2], int at, Place& place) const;
  void add_edge(std::uint32_t rule, const std::uint32_t (&tails)[2], Place place, int begin,
                int end);
  void glue_together();
  std::vector<Dotted>& dotted(int begin, int end) {
    return dotted_[static_cast<std::size_t>(begin) * input_->nodes + end];
  }
  std::vector<std::uint32_t>& cells(int begin, int end) {
    return span_cells_[static_cast<std::size_t>(begin) * input_->nodes + end];
  }

  const ChartModel& model_;
  ChartOptions options_;
  ScoredRules rules_;
  const ChartInput* input_ = nullptr;
  const ChartGrammar* grammar_ = nullptr;
  ChartForest* forest_ = nullptr;
  StringIndex words_;                                 // of the target
  std::vector<grammar::Symbol> target_;               // their numbers
  std::vector<grammar::Symbol> side_;                 // of read_target_side
  std::vector<std::vector<std::uint32_t>> edges_to_;  // of the input, by node
  std::vector<std::int32_t> label_order_;
  std::vector<std::vector<Dotted>> dotted_;
  std::vector<std::vector<std::uint32_t>> span_cells_;
  std::vector<Cell> cells_;
  std::vector<Complete> complete_;
  std::vector<Place> places_;                              // by item
  std::unordered_map<std::uint64_t, std::uint32_t> here_;  // items of the cell by their places
};

}  // namespace tunesmith::decode
