// Och's (2003) exact line search: the corpus score as a function of α along w + α d.
//
//   1. each sentence's envelope says where its winner changes (envelope.hh, walk.hh);
//   2. the changes of all sentences are sorted, away from α = 0 on both sides;
//   3. between two changes the sums of statistics, and with them the score, are constant: they
//      are kept up to date by differences, and scored once per interval.
//
// Ties. Of hypotheses that tie for every α the first row wins, as in PoolView::best. Hypotheses
// that tie at single α only do so at the ends of intervals; steps go to the inside. An interval
// shorter than kNarrow · max(1, |α|) is passed over: rounding decides who wins there. At α = 0
// itself the first row of the highest score wins, whether or not an interval has that winner.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/gain.hh"
#include "tune/walk.hh"

namespace tunesmith {

// A stretch of the line with constant winners. The outermost reach to the limits of the search.
struct Interval {
  double from, to;
  double gain;
};

class LineSearch {
 public:
  static constexpr double kNarrow = 1e-9;

  // `columns` and `gain` must outlive the search.
  LineSearch(const Columns& columns, const Gain& gain);

  // Goes to a point.
  void start(const double* weights);
  // w += step · d.
  template <typename Direction>  // int, a feature; or const double*
  void move(Direction direction, double step) {
    walk_.move(direction, step);
    settle();
  }

  // All intervals within `range` (which contains 0), from left to right. The one that contains 0
  // is always among them, however narrow; `here` is its place. Valid until the next call.
  template <typename Direction>
  const std::vector<Interval>& along(Direction direction, Range range = {}) {
    walk_.look_along(direction, range);
    return sweep(range);
  }
  std::size_t here() const { return here_; }

  const Walk& walk() const { return walk_; }
  const std::vector<double>& weights() const { return walk_.weights(); }
  // The score at the weights.
  double gain() const { return gain_here_; }

 private:
  void settle();
  const std::vector<Interval>& sweep(Range range);
  // Replaces slots by their kinds and drops changes within a kind.
  void slots_to_kinds(std::vector<Change>& changes) const;
  // The intervals on one side of 0, nearest first; fills `side`.
  void sweep_side(std::vector<Change>& changes, double end, std::vector<Interval>& side);

  const Columns& columns_;
  const Gain& gain_;
  int size_;  // statistics
  Walk walk_;
  std::vector<double> sums_, moving_;  // [statistics]
  double gain_here_ = 0.0;
  std::vector<Change> scratch_;
  std::vector<Interval> left_side_, right_side_, intervals_;
  std::size_t here_ = 0;
};

}  // namespace tunesmith
