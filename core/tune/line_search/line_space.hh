// A point among weights and the scores along the lines through it, of whatever the hypotheses are:
// rows of lists, or derivations of graphs.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace tunesmith::tune {

// Limits of α, infinite by default.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// A stretch of the line with constant winners. The outermost reach to the limits of the search.
struct Interval {
  double from, to;
  double gain;
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
};

}  // namespace tunesmith::tune
