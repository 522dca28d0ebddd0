// Och's (2003) exact line search: the corpus score as a function of α along w + α d.
//
//   1. each sentence's envelope says where its winner changes (list_envelope.hh, line_walk.hh);
//   2. the changes of all sentences are sorted, away from α = 0 on both sides;
//   3. between two changes the sums of statistics, and with them the score, are constant: they
//      are kept up to date by differences, and scored once per interval.
//
// Ties. Of hypotheses that tie for every α the first row wins, as in PoolView::best. Hypotheses
// that tie at single α only do so at the ends of intervals; steps go to the inside. An interval
// shorter than LineSweep::kNarrow · max(1, |α|) is passed over: rounding decides who wins there. At
// α = 0 itself the first row of the highest score wins, whether or not an interval has that winner.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/gain.hh"
#include "tune/line_search/line_walk.hh"

namespace tunesmith::tune {

class ListLineSearch final : public LineSpace {
 public:
  // `columns` and `gain` must outlive the search.
  ListLineSearch(const PoolColumns& columns, const metrics::Gain& gain);

  int features() const override { return columns_.features(); }
  void start(const double* weights) override;
  void move(int feature, double step) override;
  void move(const double* direction, double step) override;
  const std::vector<Interval>& along(int feature, Range range = {}) override;
  const std::vector<Interval>& along(const double* direction, Range range = {}) override;
  std::size_t here() const override { return sweep_.here(); }
  const std::vector<double>& weights() const override { return walk_.weights(); }
  double gain() const override { return gain_here_; }
  // Och's smoothed error count at w + step · d, with the d that was looked along last.
  double smoothed(double step, double sharpness) const;

 private:
  void settle();
  const std::vector<Interval>& sweep(Range range);
  // Replaces slots by their kinds and drops changes within a kind.
  void slots_to_kinds(std::vector<Change>& changes) const;

  const PoolColumns& columns_;
  const metrics::Gain& gain_;
  int size_;  // statistics
  LineWalk walk_;
  int feature_ = 0;           // that was looked along last, or −1
  std::vector<double> sums_;  // [statistics]
  double gain_here_ = 0.0;
  LineSweep sweep_;
};

}  // namespace tunesmith::tune
