// What a caller may say about chart search.
#pragma once

#include <limits>

namespace tunesmith::decode {

struct ChartOptions {
  // Candidates taken from the cubes of each cell and label (cube pruning, Chiang 2007).
  int pop_limit = 200;
  // Cells take no more candidates than the goal asks for (cube growing, Huang & Chiang 2007).
  bool grow = false;
  // Rules of the grammar span at most this many words; glue rules any number.
  int span_limit = 15;
  // Rules kept for each source side, the best by their own scores; 0 keeps all.
  int rule_limit = 0;
  // A candidate this much (natural log) below the best of its cell ends the cell.
  double beam_threshold = std::numeric_limits<double>::infinity();
  // Every word may be passed through, not only one that no rule translates by itself.
  bool pass_all = false;
  // Unknown words are left out instead of passed through.
  bool drop_unknown = false;
  // Unknown words side by side are passed through as one.
  bool keep_unknown_order = false;
  // Seconds for one sentence; then the rest is done with the best candidate alone. 0: no limit.
  double time_limit = 0.0;
};

// Candidates with forbidden phrases that a cell may meet: they cost no pop, but time.
inline int most_refused(const ChartOptions& options) {
  constexpr int kPerPop = 10;
  return options.pop_limit > std::numeric_limits<int>::max() / kPerPop
             ? std::numeric_limits<int>::max()
             : kPerPop * options.pop_limit;
}

}  // namespace tunesmith::decode
