#include "tune/line_search/line_sweep.hh"

#include <algorithm>
#include <cmath>

#include "base/prefetch.hh"
#include "base/radix_sort.hh"

namespace tunesmith::tune {

void LineSweep::run_side(std::vector<Change>& changes, const std::vector<double>& sums,
                         double gain_here, const KindTable& kinds, double end,
                         std::vector<Interval>& side) {
  radix_sort(changes, scratch_, [](const Change& change) { return std::abs(change.at); });
  side.assign(1, {0.0, changes.empty() ? end : changes[0].at, gain_here});
  moving_ = sums;
  double* moving = moving_.data();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i + kAhead < changes.size()) {
      for (const std::uint32_t kind : {changes[i + kAhead].from, changes[i + kAhead].to}) {
        prefetch(kinds.of(kind));
        prefetch(kinds.of(kind) + kinds.size - 1);
      }
    }
    const Change& change = changes[i];
    const std::int32_t* out = kinds.of(change.from);
    const std::int32_t* in = kinds.of(change.to);
    for (int k = 0; k < kinds.size; k += 4)
      for (int j = k; j < k + 4; ++j) moving[j] += in[j] - out[j];
    const double next = i + 1 < changes.size() ? changes[i + 1].at : end;
    if (std::abs(next - change.at) > kNarrow * std::max(1.0, std::abs(change.at)))
      side.push_back({change.at, next, gain_(moving)});
  }
}

const std::vector<Interval>& LineSweep::run(std::vector<Change>& left, std::vector<Change>& right,
                                            const std::vector<double>& sums, double gain_here,
                                            const KindTable& kinds, Range range) {
  run_side(left, sums, gain_here, kinds, range.low, left_side_);
  run_side(right, sums, gain_here, kinds, range.high, right_side_);
  intervals_.clear();
  for (std::size_t i = left_side_.size(); i-- > 1;)
    intervals_.push_back({left_side_[i].to, left_side_[i].from, left_side_[i].gain});
  here_ = intervals_.size();
  intervals_.push_back({left_side_[0].to, right_side_[0].to, gain_here});
  intervals_.insert(intervals_.end(), right_side_.begin() + 1, right_side_.end());
  return intervals_;
}

}  // namespace tunesmith::tune
