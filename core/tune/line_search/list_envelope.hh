// The upper envelope of one sentence's lines: which hypothesis wins at w + α d, for every α.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tune/line_search/line_passes.hh"
#include "tune/line_search/pool_columns.hh"

namespace tunesmith::tune {

// At α = `at` the winner changes, going away from α = 0, from one row to another.
struct Crossing {
  double at;
  std::int32_t from, to;
};

// Finds the crossings of a sentence. Hypothesis i is the line intercepts[i] + α slopes[i]
// (⟨w, h⟩ + α ⟨d, h⟩, Och 2003). Usual methods sort the lines by slope; here three lines are
// known beforehand: the winners at −∞, at 0 and at +∞. A line can be on the envelope left of 0
// only if it is above the crossing of the first two, and right of 0 only if it is above that of
// the last two. One pass finds the few that are, and a recursion over those few does the rest.
class ListEnvelope {
 public:
  std::vector<Crossing> left;   // at ≤ 0, in no order
  std::vector<Crossing> right;  // at ≥ 0, in no order

  // `winner` is the first row of the highest intercept. A side that the range of α does not
  // reach is left empty. Of lines that coincide the first stands for all.
  template <typename Slope>
  void find(const double* intercepts, const Slope* slopes, std::int64_t size,
            const PoolColumns::Ends& ends, std::int32_t winner, double low, double high);

 private:
  struct Line {
    double intercept, slope;
    std::int32_t row;
    double at(double x) const { return intercept + x * slope; }
  };

  static Bar bar(const Line& a, const Line& b) {
    const double x = (a.intercept - b.intercept) / (b.slope - a.slope);
    return {x, std::max(a.at(x), b.at(x))};
  }

  // Crossings between two lines of the envelope whose own crossing is `crossing`, given the lines
  // that are above it: lines_ from `begin` to `end`. What follows them is free to use.
  void between(const Line& a, const Line& b, Bar crossing, std::size_t begin, std::size_t end,
               bool leftwards);

  std::vector<std::int32_t> left_found_, right_found_;
  std::vector<Line> lines_;
};

template <typename Slope>
void ListEnvelope::find(const double* intercepts, const Slope* slopes, std::int64_t size,
                        const PoolColumns::Ends& ends, std::int32_t winner, double low,
                        double high) {
  left.clear();
  right.clear();
  const bool leftwards = slopes[winner] != slopes[ends.low] && low < 0.0;
  const bool rightwards = slopes[winner] != slopes[ends.high] && high > 0.0;
  if (!leftwards && !rightwards) return;
  const auto line = [&](std::int32_t i) { return Line{intercepts[i], slopes[i], i}; };
  const auto outermost = [&](std::int32_t end, bool alone) {
    return line(alone ? end : highest_of_slope(intercepts, slopes, size, slopes[end]));
  };
  const Line middle = line(winner);
  Line first = middle, last = middle;
  // Nothing is above the bar of a side where nothing is sought.
  Bar left_bar{0.0, std::numeric_limits<double>::infinity()}, right_bar = left_bar;
  if (leftwards) {
    first = outermost(ends.low, ends.low_alone);
    left_bar = bar(first, middle);
  }
  if (rightwards) {
    last = outermost(ends.high, ends.high_alone);
    right_bar = bar(middle, last);
  }
  left_found_.resize(size);
  right_found_.resize(size);
  Found left_found{left_found_.data()}, right_found{right_found_.data()};
  lines_above(intercepts, slopes, size, left_bar, right_bar, left_found, right_found);
  const auto side = [&](const Line& a, const Line& b, Bar crossing, const Found& found) {
    if (static_cast<std::int64_t>(lines_.size()) < found.count) lines_.resize(found.count);
    for (std::int64_t i = 0; i < found.count; ++i) lines_[i] = line(found.rows[i]);
    between(a, b, crossing, 0, found.count, &found == &left_found);
  };
  if (leftwards) side(first, middle, left_bar, left_found);
  if (rightwards) side(middle, last, right_bar, right_found);
}

}  // namespace tunesmith::tune
