// From the places where winners change on a line to the scores between them, whatever the winners
// are: rows of lists, or derivations of graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/gain.hh"
#include "tune/line_search/line_space.hh"

namespace tunesmith::tune {

// At α = `at` a sentence's winner changes, going away from 0, from one to another.
struct Change {
  double at;
  std::uint32_t from, to;
};

// Changes are scattered over memory: what a later one needs is fetched this many ahead.
constexpr std::size_t kAhead = 16;

// Statistics of kinds of winners: rows of `size` numbers, zeros up to a multiple of 4.
struct KindTable {
  const std::int32_t* stats;
  int size;
  const std::int32_t* of(std::uint32_t kind) const {
    return stats + static_cast<std::size_t>(kind) * static_cast<std::size_t>(size);
  }
};

class LineSweep {
 public:
  // Intervals shorter than this, times max(1, |α|), are passed over: rounding decides there.
  static constexpr double kNarrow = 1e-9;

  explicit LineSweep(const metrics::Gain& gain) : gain_(gain) {}

  // All intervals within `range`, from left to right, given the changes between kinds on either
  // side of 0 (in no order; they are sorted here) and the sums of statistics at 0, whose gain is
  // `gain_here`. Valid until the next call.
  const std::vector<Interval>& run(std::vector<Change>& left, std::vector<Change>& right,
                                   const std::vector<double>& sums, double gain_here,
                                   const KindTable& kinds, Range range);
  // The place of the interval that contains 0; it is always there, however narrow.
  std::size_t here() const { return here_; }

 private:
  // The intervals on one side of 0, nearest first; fills `side`.
  void run_side(std::vector<Change>& changes, const std::vector<double>& sums, double gain_here,
                const KindTable& kinds, double end, std::vector<Interval>& side);

  const metrics::Gain& gain_;
  std::vector<double> moving_;  // [statistics]
  std::vector<Change> scratch_;
  std::vector<Interval> left_side_, right_side_, intervals_;
  std::size_t here_ = 0;
};

}  // namespace tunesmith::tune
