// Cube growing (Huang & Chiang 2007, §4.2): cells are filled from the top, as far as they are asked
// for.
//
// 1. The chart has been filled without items: a cell is its cubes.
// 2. A cell that is asked for its first item offers the corner of each of its cubes, which asks the
//    cells below for their best items.
// 3. A candidate is scored when it is offered, as in cube pruning, and waits.
// 4. The best candidate becomes an edge, and its neighbours are offered, which asks the cells below
//    for their next items. So an item is found, but it is not the cell's next one before it is
//    better than all candidates that wait.
// 5. A cell takes `pop_limit` candidates at most, then what it has found is all there is.
// 6. In the end items are numbered by their cells, and every one has the score of its best edge: a
//    better one may have been found when edges above it had been scored.
// The paper has language models read a candidate when it is taken, and lets it wait by an estimate
// of theirs; that took longer here for the same scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart/cell_items.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/chart_options.hh"
#include "decode/chart/cube.hh"

namespace tunesmith::decode {

class CubeGrowing {
 public:
  // The rules must outlive this.
  CubeGrowing(const ScoredRules& rules, const ChartOptions& options)
      : rules_(rules), options_(options) {}

  // Forgets all cells. Input and forest must outlive the search.
  void begin(const ChartInput& input, ChartForest& forest, double deadline);
  // A cell with those of the cubes that have its label; the number of cells so far, or kNothing if
  // there are no such cubes. Cells come behind those in their cubes.
  std::uint32_t add_cell(std::span<const Cube> cubes, std::int32_t label, int begin, int end);
  // The item of a cell by its rank; kNothing if there are fewer.
  std::uint32_t item(std::uint32_t cell, std::uint32_t rank);
  // Step 6. Numbers of items change; those of the last cell come last. Returns how many these are.
  std::size_t settle();

 private:
  struct Candidate {
    double score = 0.0;
    double own = 0.0;  // without its items
    std::uint32_t cube = 0;
    std::uint32_t ranks[3] = {0, 0, 0};  // of the rule, and of the items
    std::uint32_t states = 0;            // a place in states_
    std::uint32_t number = 0;            // in the order in which they were offered
    bool refused = false;                // it has a forbidden phrase
  };
  struct Waiting {
    double score = 0.0;
    std::uint32_t item = 0;
    std::uint32_t number = 0;  // of its edge
  };
  struct Cell {
    std::uint32_t cube_begin = 0, cube_end = 0;
    int begin = 0, end = 0;
    bool open = false;
    int taken = 0, refused = 0;
    double best = 0.0;  // of the scores so far
    std::uint32_t offered = 0;
    std::vector<Candidate> candidates;  // a heap
    std::vector<Waiting> waiting;       // a heap of items
    std::vector<std::uint32_t> items;   // those that were asked for, best first
    CellItems found;
  };

  void open(Cell& cell);
  bool goes_on(const Cell& cell);
  void take_best(std::uint32_t number);
  // Unless the cube ends before it.
  void offer(Cell& cell, Candidate candidate);
  // Sets `items` to those of a candidate; false if a cell has no more.
  bool find_items(const Candidate& candidate, std::uint32_t (&items)[2]);
  double sum_of(const std::uint32_t (&items)[2]) const;
  // Lets items that are no worse than `bound` be the next ones; whether there were any.
  bool release(Cell& cell, double bound);

  const ScoredRules& rules_;
  ChartOptions options_;
  const ChartInput* input_ = nullptr;
  ChartForest* forest_ = nullptr;
  double deadline_ = 0.0;
  std::vector<Cell> cells_;
  std::vector<Cube> cubes_;
  std::vector<lm::Fragment> states_;  // of candidates
  std::vector<std::uint32_t> free_states_;
  std::vector<std::uint32_t> cell_of_;  // by item
  std::vector<std::uint8_t> released_;  // by item
};

}  // namespace tunesmith::decode
