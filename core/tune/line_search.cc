#include "tune/line_search.hh"

#include <algorithm>
#include <cmath>

#include "base/radix_sort.hh"

namespace tunesmith {

namespace {

// Changes are scattered over memory: what a later one needs is fetched this many ahead.
constexpr std::size_t kAhead = 16;

void prefetch(const void* place) {
#ifdef __GNUC__
  __builtin_prefetch(place);
#else
  (void)place;
#endif
}

}  // namespace

LineSearch::LineSearch(const Columns& columns, const Gain& gain)
    : columns_(columns),
      gain_(gain),
      size_(columns.stats_size()),
      walk_(columns),
      sums_(size_),
      moving_(size_) {}

void LineSearch::start(const double* weights) {
  walk_.start(weights);
  settle();
}

void LineSearch::settle() {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) {
    const std::int32_t* stats = columns_.stats(columns_.kinds()[walk_.winner(s)]);
    for (int k = 0; k < size_; ++k) sums_[k] += stats[k];
  }
  gain_here_ = gain_(sums_.data());
}

void LineSearch::slots_to_kinds(std::vector<Change>& changes) const {
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

void LineSearch::sweep_side(std::vector<Change>& changes, double end, std::vector<Interval>& side) {
  slots_to_kinds(changes);
  radix_sort(changes, scratch_, [](const Change& change) { return std::abs(change.at); });
  side.assign(1, {0.0, changes.empty() ? end : changes[0].at, gain_here_});
  moving_ = sums_;
  double* sums = moving_.data();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i + kAhead < changes.size()) {
      for (const std::uint32_t kind : {changes[i + kAhead].from, changes[i + kAhead].to}) {
        prefetch(columns_.stats(kind));
        prefetch(columns_.stats(kind) + size_ - 1);
      }
    }
    const Change& change = changes[i];
    const std::int32_t* out = columns_.stats(change.from);
    const std::int32_t* in = columns_.stats(change.to);
    for (int k = 0; k < size_; k += 4)
      for (int j = k; j < k + 4; ++j) sums[j] += in[j] - out[j];
    const double next = i + 1 < changes.size() ? changes[i + 1].at : end;
    if (std::abs(next - change.at) > kNarrow * std::max(1.0, std::abs(change.at)))
      side.push_back({change.at, next, gain_(sums)});
  }
}

const std::vector<Interval>& LineSearch::sweep(Range range) {
  sweep_side(walk_.left(), range.low, left_side_);
  sweep_side(walk_.right(), range.high, right_side_);
  intervals_.clear();
  for (std::size_t i = left_side_.size(); i-- > 1;)
    intervals_.push_back({left_side_[i].to, left_side_[i].from, left_side_[i].gain});
  here_ = intervals_.size();
  intervals_.push_back({left_side_[0].to, right_side_[0].to, gain_here_});
  intervals_.insert(intervals_.end(), right_side_.begin() + 1, right_side_.end());
  return intervals_;
}

}  // namespace tunesmith
