#include "tune/line_search/list_line_search.hh"

#include <algorithm>

#include "base/prefetch.hh"
#include "tune/line_search/smoothed_count.hh"

namespace tunesmith::tune {

ListLineSearch::ListLineSearch(const PoolColumns& columns, const metrics::Gain& gain)
    : columns_(columns),
      gain_(gain),
      size_(columns.stats_size()),
      walk_(columns),
      sums_(size_),
      sweep_(gain) {}

void ListLineSearch::start(const double* weights) {
  walk_.start(weights);
  settle();
}

void ListLineSearch::move(int feature, double step) {
  walk_.move(feature, step);
  settle();
}

void ListLineSearch::move(const double* direction, double step) {
  walk_.move(direction, step);
  settle();
}

const std::vector<Interval>& ListLineSearch::along(int feature, Range range) {
  feature_ = feature;
  walk_.look_along(feature, range);
  return sweep(range);
}

const std::vector<Interval>& ListLineSearch::along(const double* direction, Range range) {
  feature_ = -1;
  walk_.look_along(direction, range);
  return sweep(range);
}

double ListLineSearch::smoothed(double step, double sharpness) const {
  if (feature_ >= 0)
    return smoothed_gain(columns_, gain_, walk_.scores(), columns_.column(feature_), step,
                         sharpness);
  return smoothed_gain(columns_, gain_, walk_.scores(), walk_.slopes(), step, sharpness);
}

void ListLineSearch::settle() {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) {
    const std::int32_t* stats = columns_.stats(columns_.kinds()[walk_.winner(s)]);
    for (int k = 0; k < size_; ++k) sums_[k] += stats[k];
  }
  gain_here_ = gain_(sums_.data());
}

void ListLineSearch::slots_to_kinds(std::vector<Change>& changes) const {
  const std::uint32_t* kinds = columns_.kinds();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i + kAhead < changes.size()) {
      prefetch(kinds + changes[i + kAhead].from);
      prefetch(kinds + changes[i + kAhead].to);
    }
    const Change change{changes[i].at, kinds[changes[i].from], kinds[changes[i].to]};
    changes[kept] = change;
    kept += change.from != change.to;
  }
  changes.resize(kept);
}

const std::vector<Interval>& ListLineSearch::sweep(Range range) {
  slots_to_kinds(walk_.left());
  slots_to_kinds(walk_.right());
  return sweep_.run(walk_.left(), walk_.right(), sums_, gain_here_, {columns_.stats(0), size_},
                    range);
}

}  // namespace tunesmith::tune
