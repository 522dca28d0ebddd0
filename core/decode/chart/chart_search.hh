// Chart search with cube pruning (Chiang 2007) over a CKY+ chart (Chappelier & Rajman 1998). Where
// cubes are to be grown, steps 2 and 3 are those of cube_growing.hh instead, when the chart is
// full.
//
// 1. The chart says which rules fit where (cky_chart.hh). The axes of a cube are its rules and the
//    items of each cell, best first.
// 2. A cell takes the best candidates out of all its cubes: the corner of each cube is offered
//    first; when a candidate is taken, its neighbours are offered. A neighbour raises the axis that
//    was raised last, or one behind it, so every candidate is offered once.
//    A candidate's score is exact when it is offered: rule, items, language models.
// 3. Candidates with equal language-model states become one item with several edges. Where phrases
//    are forbidden, what must be known of them is one more state, and a candidate that has one is
//    no item; its neighbours are offered all the same.
// 4. Glue rules, S → X and S → S X, stand at the begin of the input only and know that they do: an
//    item of S has no open words on its left.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart/cell_items.hh"
#include "decode/chart/cky_chart.hh"
#include "decode/chart/cube_growing.hh"

namespace tunesmith::decode {

class ChartSearch final : public CkyChart {
 public:
  // The model must outlive this.
  ChartSearch(const ChartModel& model, std::span<const double> weights,
              const ChartOptions& options);

  // Fills `forest`; rules of its edges are those of `rules()`, until the next search.
  // With `grow`, `wanted` items of the whole input are asked for.
  void run(const ChartInput& input, const ChartGrammar& grammar, int wanted, ChartForest& forest);

 private:
  // Where cubes are pruned: the items of a cell in order_, best first.
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  struct Candidate {
    double score = 0.0;
    std::uint32_t cube = 0;
    std::uint32_t ranks[3] = {0, 0, 0};  // of the rule, and of the items
    std::uint32_t states = 0;            // place in candidate_states_
    std::uint32_t number = 0;            // in the order in which they were offered
    bool refused = false;                // it has a forbidden phrase
  };

  bool fill_cell(const Cell& cell) override;
  // Takes candidates out of its cubes; false if there are none.
  bool prune_cell(const Cell& cell);
  void offer(std::uint32_t cube, const std::uint32_t (&ranks)[3]);
  void offer_neighbours(const Candidate& taken);
  void take(const Candidate& candidate, const Cell& cell);
  std::uint32_t item_of(const Cube& cube, int tail, std::uint32_t rank) const {
    return order_[ranges_[cube.cells[tail]].begin + rank];
  }
  void glue_together();
  void end_sentence(std::uint32_t cell, std::uint32_t rule);
  void add_goal(std::span<const std::uint32_t> items, std::uint32_t rule);

  int wanted_ = 0;
  std::vector<Range> ranges_;  // by cell
  std::vector<std::uint32_t> order_;
  std::vector<Candidate> heap_;
  std::vector<lm::Fragment> candidate_states_;
  std::vector<std::uint32_t> free_states_;
  std::uint32_t offered_ = 0;
  CellItems items_;
  CubeGrowing growing_;
  double deadline_ = 0.0;
};

}  // namespace tunesmith::decode
