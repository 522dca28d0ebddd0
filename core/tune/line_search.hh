// Och's (2003) exact line search: the corpus score as a function of α along w + α d.
//
//   1. each sentence's envelope says where its winner changes (envelope.hh);
//   2. the crossings of all sentences are sorted, away from α = 0 on both sides;
//   3. between two crossings no winner changes, so the sums of statistics, and with them the
//      score, are constant: they are kept up to date by differences, and scored per interval.
//
// Ties. Of hypotheses that tie for every α the first row wins, as in PoolView::best. Hypotheses
// that tie at single α only do so at the ends of intervals; steps go to the inside. An interval
// shorter than kNarrow · max(1, |α|) is passed over: rounding decides who wins there. At α = 0
// itself the first row of the highest score wins, whether or not an interval has that winner.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "metrics/gain.hh"
#include "tune/columns.hh"
#include "tune/envelope.hh"

namespace tunesmith {

// A stretch of the line with constant winners. The outermost reach to the limits of the search.
struct Interval {
  double from, to;
  double gain;
};

// Limits of α, infinite by default.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

class LineSearch {
 public:
  static constexpr double kNarrow = 1e-9;

  // `columns` and `gain` must outlive the search.
  LineSearch(const Columns& columns, const Gain& gain);

  // Goes to a point.
  void start(const double* weights);
  // w += step · d.
  void move(int feature, double step);
  void move(const double* direction, double step);

  const std::vector<double>& weights() const { return weights_; }
  // The score at the weights.
  double gain() const { return gain_here_; }
  // [slots] w · h.
  const double* scores() const { return scores_.data(); }
  // [slots] d · h of the last direction that was not a feature.
  const double* slopes() const { return slopes_.data(); }

  // All intervals within `range` (which contains 0), from left to right. The one that contains 0
  // is always among them, however narrow; `here` is its place. Valid until the next call.
  const std::vector<Interval>& along(int feature, Range range = {});
  const std::vector<Interval>& along(const double* direction, Range range = {});
  std::size_t here() const { return here_; }

 private:
  // At α = `at` a sentence's winner changes, going away from 0, from one kind (first a
  // slot) to another.
  struct Change {
    double at;
    std::uint32_t from, to;
  };

  template <typename Slope, typename EndsOf>
  void find_changes(const Slope* slopes, const EndsOf& ends_of, Range range);
  // Replaces slots by their kinds and drops changes within a kind.
  void slots_to_kinds(std::vector<Change>& changes) const;
  const std::vector<Interval>& sweep(Range range);
  // The intervals on one side of 0, nearest first; fills `side`.
  void sweep_side(std::vector<Change>& changes, double end, std::vector<Interval>& side);
  void settle();

  const Columns& columns_;
  const Gain& gain_;
  int size_;  // statistics
  std::vector<double> weights_;
  std::vector<double> scores_;         // [slots]
  std::vector<std::int32_t> winners_;  // [sentences]
  std::vector<double> sums_, moving_;  // [statistics]
  double gain_here_ = 0.0;

  Envelope envelope_;
  std::vector<double> slopes_;
  std::vector<Change> left_, right_, scratch_;
  std::vector<Interval> left_side_, right_side_, intervals_;
  std::size_t here_ = 0;
};

}  // namespace tunesmith
