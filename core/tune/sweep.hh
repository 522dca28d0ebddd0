// From the places where winners change on a line to the scores between them, whatever the winners
// are: rows of lists, or derivations of graphs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "metrics/gain.hh"

namespace tunesmith {

// Limits of α, infinite by default.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// At α = `at` a sentence's winner changes, going away from 0, from one to another.
struct Change {
  double at;
  std::uint32_t from, to;
};

// Changes are scattered over memory: what a later one needs is fetched this many ahead.
constexpr std::size_t kAhead = 16;

// A stretch of the line with constant winners. The outermost reach to the limits of the search.
struct Interval {
  double from, to;
  double gain;
};

// Statistics of kinds of winners: rows of `size` numbers, zeros up to a multiple of 4.
struct KindTable {
  const std::int32_t* stats;
  int size;
  const std::int32_t* of(std::uint32_t kind) const {
    return stats + static_cast<std::size_t>(kind) * static_cast<std::size_t>(size);
  }
};

class Sweep {
 public:
  // Intervals shorter than this, times max(1, |α|), are passed over: rounding decides there.
  static constexpr double kNarrow = 1e-9;

  explicit Sweep(const Gain& gain) : gain_(gain) {}

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

  const Gain& gain_;
  std::vector<double> moving_;  // [statistics]
  std::vector<Change> scratch_;
  std::vector<Interval> left_side_, right_side_, intervals_;
  std::size_t here_ = 0;
};

// What a climb walks over: a point, and the scores along lines through it.
class LineSpace {
 public:
  virtual ~LineSpace() = default;
  virtual int features() const = 0;
  // Goes to a point.
  virtual void start(const double* weights) = 0;
  // w += step · d.
  virtual void move(int feature, double step) = 0;
  virtual void move(const double* direction, double step) = 0;
  // All intervals within `range` (which contains 0), from left to right; `here` is the place of
  // the one that contains 0. Valid until the next call.
  virtual const std::vector<Interval>& along(int feature, Range range) = 0;
  virtual const std::vector<Interval>& along(const double* direction, Range range) = 0;
  virtual std::size_t here() const = 0;
  virtual const std::vector<double>& weights() const = 0;
  // The score at the weights.
  virtual double gain() const = 0;
  // Och's smoothed error count at w + step · d, with the d that was looked along last.
  virtual double softened(double step, double sharpness) const = 0;
};

}  // namespace tunesmith
