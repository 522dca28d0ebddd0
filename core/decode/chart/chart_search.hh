// Chart search with cube pruning (Chiang 2007) over a CKY+ chart (Chappelier & Rajman 1998). Where
// cubes are to be grown, steps 3 and 4 are those of cube_growing.hh instead, when the chart is
// full.
//
// 1. Spans are filled from short to long. A dotted rule is a node of the grammar's trie and the
// cells
//    of the non-terminals behind it; it grows by a word of the input or by a cell on its right.
// 2. The rules of a source side that is complete, with the cells of their non-terminals, are a
// cube:
//    its axes are the rules and the items of each cell, best first.
// 3. A cell with a label takes the best candidates out of all its cubes: the corner of each cube is
//    offered first; when a candidate is taken, its neighbours are offered. A neighbour raises the
//    axis that was raised last, or one behind it, so every candidate is offered once.
//    A candidate's score is exact when it is offered: rule, items, language models.
// 4. Candidates with equal language-model states become one item with several edges.
// 5. Rules of a single non-terminal come last in a span, label by label in an order in which each
//    finds its cell complete.
// 6. Glue rules, S → X and S → S X, stand at the begin of the input only and know that they do: an
//    item of S has no open words on its left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart/cell_items.hh"
#include "decode/chart/chart_forest.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/chart_options.hh"
#include "decode/chart/cube_growing.hh"
#include "decode/chart/scored_rules.hh"

namespace tunesmith::decode {

class ChartSearch {
 public:
  // The model must outlive this.
  ChartSearch(const ChartModel& model, std::span<const double> weights,
              const ChartOptions& options);

  // Fills `forest`; rules of its edges are those of `rules()`, until the next search.
  // With `grow`, `wanted` items of the whole input are asked for.
  void run(const ChartInput& input, const ChartGrammar& grammar, int wanted, ChartForest& forest);
  const ScoredRules& rules() const { return rules_; }

 private:
  // A span with a label; where cubes are pruned, its items are [begin, end) of order_, best first.
  struct Cell {
    std::int32_t label = 0;
    int from = 0, to = 0;
    std::uint32_t begin = 0, end = 0;
  };
  struct Dotted {
    std::uint32_t node = 0;
    std::uint32_t cells[2] = {kNothing, kNothing};
    int tails = 0;
    std::uint32_t arcs = kNothing;  // of ChartForest::read
  };
  struct Candidate {
    double score = 0.0;
    std::uint32_t cube = 0;
    std::uint32_t ranks[3] = {0, 0, 0};  // of the rule, and of the items
    std::uint32_t states = 0;            // place in candidate_states_
    std::uint32_t number = 0;            // in the order in which they were offered
  };

  void fill_span(int begin, int end);
  // Words of the input, or of the shortest way through a lattice; no way is beyond all limits.
  void measure_spans();
  bool is_short(int begin, int end) const {
    return (input_->is_lattice ? lengths_[static_cast<std::size_t>(begin) * input_->nodes + end]
                               : end - begin) <= options_.span_limit;
  }
  // What a lattice's rule has read, and one more word of the input.
  std::uint32_t read_on(std::uint32_t arcs, std::uint32_t edge);
  void grow_dotted(int begin, int end);
  void add_dotted(const Dotted& grown, int begin, int end);
  void add_cubes(const Dotted& complete);
  bool may_stand(int begin, int end) const;
  bool splits_zone(const Dotted& complete, int begin, int end) const;
  // A cell of those of cubes_ that have the label; kNothing if there are none.
  std::uint32_t add_cell(std::int32_t label, int begin, int end);
  // Takes candidates out of them; false if there are none.
  bool prune_cell(Cell& cell);
  void offer(std::uint32_t cube, const std::uint32_t (&ranks)[3]);
  void offer_neighbours(const Candidate& taken);
  void take(const Candidate& candidate, const Cell& cell);
  std::uint32_t item_of(const Cube& cube, int tail, std::uint32_t rank) const {
    return order_[cells_[cube.cells[tail]].begin + rank];
  }
  void glue_together();
  void end_sentence(std::uint32_t cell, std::uint32_t rule);
  void add_goal(std::span<const std::uint32_t> items, std::uint32_t rule);
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
  int wanted_ = 0;
  std::vector<std::vector<std::uint32_t>> edges_to_;  // of the input, by node
  std::vector<grammar::Symbol> edge_words_;           // in the grammar's vocabulary, or kNoWord
  std::vector<double> edge_scores_;                   // of a lattice: what each edge is worth
  std::vector<int> lengths_;                          // of a lattice: from node to node
  std::vector<std::int32_t> label_order_;             // what becomes another label comes first
  std::vector<std::vector<Dotted>> dotted_;
  std::vector<std::vector<std::uint32_t>> span_cells_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> order_;
  std::vector<Cube> cubes_;
  std::vector<Candidate> heap_;
  std::vector<lm::Fragment> candidate_states_;
  std::vector<std::uint32_t> free_states_;
  std::uint32_t offered_ = 0;
  CellItems items_;
  CubeGrowing growing_;
  double deadline_ = 0.0;
};

}  // namespace tunesmith::decode
