// The CKY+ chart of an input (Chappelier & Rajman 1998): which rules fit which spans, around which
// cells. What a cell holds is for those to say who fill it: chart search (chart_search.hh) and
// forced decoding (forced_chart.hh).
//
// 1. Spans are filled from short to long. A dotted rule is a node of the grammar's trie and the
//    cells of the non-terminals behind it; it grows by a word of the input or by a cell on its
//    right.
// 2. The rules of a source side that is complete, with the cells of their non-terminals, are a
//    cube.
// 3. Words that no rule translates alone are passed through, prescribed words are given: a cube
//    too.
// 4. A span has a cell for each label that its cubes have. Rules of a single non-terminal come
//    last in a span, label by label in an order in which each finds its cell complete.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart/chart_forest.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/chart_options.hh"
#include "decode/chart/cube.hh"
#include "decode/chart/scored_rules.hh"

namespace tunesmith::decode {

class CkyChart {
 public:
  // Of the edges of a forest, until the next input.
  const ScoredRules& rules() const { return rules_; }

 protected:
  // A span with a label.
  struct Cell {
    std::int32_t label = 0;
    int from = 0, to = 0;
  };

  // The model must outlive this.
  CkyChart(const ChartModel& model, std::span<const double> weights, const ChartOptions& options);
  ~CkyChart() = default;

  // Forgets all cells. What is given must outlive the chart; `rule_limit` as in ChartOptions.
  void begin(const ChartInput& input, const ChartGrammar& grammar, int rule_limit,
             ChartForest& forest);
  // Steps 1 to 4 for all spans.
  void fill();
  // A cell of those of cubes_ that have the label; kNothing if nothing is in it.
  std::uint32_t add_cell(std::int32_t label, int begin, int end);
  // Fills it, as the next one in number; false if nothing is in it.
  virtual bool fill_cell(const Cell& cell) = 0;

  const std::vector<std::uint32_t>& cells(int begin, int end) const {
    return span_cells_[place(begin, end)];
  }

  const ChartModel& model_;
  const ChartOptions options_;
  ScoredRules rules_;
  const ChartInput* input_ = nullptr;
  const ChartGrammar* grammar_ = nullptr;
  ChartForest* forest_ = nullptr;
  std::vector<Cube> cubes_;  // of the span that is filled

 private:
  struct Dotted {
    std::uint32_t node = 0;
    std::uint32_t cells[2] = {kNothing, kNothing};
    int tails = 0;
    std::uint32_t arcs = kNothing;  // of ChartForest::read
  };

  // Words of the input, or of the shortest way through a lattice; no way is beyond all limits.
  void measure_spans();
  bool is_short(int begin, int end) const {
    return (input_->is_lattice ? lengths_[place(begin, end)] : end - begin) <= options_.span_limit;
  }
  bool may_stand(int begin, int end) const;
  // Whether words of a zone would be translated together with words outside it.
  bool splits_zone(const Dotted& complete, int begin, int end) const;
  void fill_span(int begin, int end);
  void grow_dotted(int begin, int end);
  void add_dotted(const Dotted& grown, int begin, int end);
  void add_cubes(const Dotted& complete);
  // What a lattice's rule has read, and one more word of the input.
  std::uint32_t read_on(std::uint32_t arcs, std::uint32_t edge);
  std::size_t place(int begin, int end) const {
    return static_cast<std::size_t>(begin) * input_->nodes + end;
  }

  std::vector<std::vector<std::uint32_t>> edges_to_;  // of the input, by node
  std::vector<grammar::Symbol> edge_words_;           // in the grammar's vocabulary, or kNoWord
  std::vector<double> edge_scores_;                   // of a lattice: what each edge is worth
  std::vector<int> lengths_;                          // of a lattice: from node to node
  std::vector<std::int32_t> label_order_;             // what becomes another label comes first
  std::vector<std::vector<Dotted>> dotted_;           // by span
  std::vector<std::vector<std::uint32_t>> span_cells_;
  std::vector<Cell> cells_;
};

}  // namespace tunesmith::decode
