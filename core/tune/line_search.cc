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

// The first slot of the highest score.
std::int32_t first_highest(const double* scores, std::int64_t size) {
  constexpr std::int64_t kBlock = Columns::kLanes;
  double highest[kBlock];
  std::copy(scores, scores + kBlock, highest);
  for (std::int64_t i = kBlock; i < size; i += kBlock)
    for (int k = 0; k < kBlock; ++k)
      highest[k] = scores[i + k] > highest[k] ? scores[i + k] : highest[k];
  const double top = *std::max_element(highest, highest + kBlock);
  return static_cast<std::int32_t>(std::find(scores, scores + size, top) - scores);
}

}  // namespace

LineSearch::LineSearch(const Columns& columns, const Gain& gain)
    : columns_(columns),
      gain_(gain),
      size_(columns.stats_size()),
      weights_(columns.features()),
      scores_(columns.slots()),
      winners_(columns.sentences()),
      sums_(size_),
      moving_(size_) {}

void LineSearch::start(const double* weights) {
  weights_.assign(weights, weights + columns_.features());
  columns_.combine(weights, scores_.data());
  settle();
}

void LineSearch::move(int feature, double step) {
  weights_[feature] += step;
  const float* values = columns_.column(feature);
  for (std::int64_t i = 0; i < columns_.slots(); ++i) scores_[i] += step * values[i];
  settle();
}

void LineSearch::move(const double* direction, double step) {
  for (int f = 0; f < columns_.features(); ++f) weights_[f] += step * direction[f];
  columns_.combine(weights_.data(), scores_.data());
  settle();
}

void LineSearch::settle() {
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) {
    winners_[s] = first_highest(scores_.data() + columns_.begin(s), columns_.size(s));
    const std::int32_t* stats = columns_.stats(columns_.kinds()[columns_.begin(s) + winners_[s]]);
    for (int k = 0; k < size_; ++k) sums_[k] += stats[k];
  }
  gain_here_ = gain_(sums_.data());
}

template <typename Slope, typename EndsOf>
void LineSearch::find_changes(const Slope* slopes, const EndsOf& ends_of, Range range) {
  left_.clear();
  right_.clear();
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) {
    const std::int64_t begin = columns_.begin(s);
    envelope_.find(scores_.data() + begin, slopes + begin, columns_.size(s), ends_of(s),
                   winners_[s], range.low, range.high);
    const auto slot = [&](std::int32_t row) { return static_cast<std::uint32_t>(begin + row); };
    for (const Crossing& crossing : envelope_.left)
      if (crossing.at > range.low)
        left_.push_back({crossing.at, slot(crossing.from), slot(crossing.to)});
    for (const Crossing& crossing : envelope_.right)
      if (crossing.at < range.high)
        right_.push_back({crossing.at, slot(crossing.from), slot(crossing.to)});
  }
  slots_to_kinds(left_);
  slots_to_kinds(right_);
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

const std::vector<Interval>& LineSearch::along(int feature, Range range) {
  find_changes(
      columns_.column(feature), [&](std::int64_t s) { return columns_.ends(feature, s); }, range);
  return sweep(range);
}

const std::vector<Interval>& LineSearch::along(const double* direction, Range range) {
  slopes_.resize(columns_.slots());
  columns_.combine(direction, slopes_.data());
  find_changes(
      slopes_.data(),
      [&](std::int64_t s) {
        return find_ends(slopes_.data() + columns_.begin(s), columns_.rows(s));
      },
      range);
  return sweep(range);
}

void LineSearch::sweep_side(std::vector<Change>& changes, double end, std::vector<Interval>& side) {
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
  sweep_side(left_, range.low, left_side_);
  sweep_side(right_, range.high, right_side_);
  intervals_.clear();
  for (std::size_t i = left_side_.size(); i-- > 1;)
    intervals_.push_back({left_side_[i].to, left_side_[i].from, left_side_[i].gain});
  here_ = intervals_.size();
  intervals_.push_back({left_side_[0].to, right_side_[0].to, gain_here_});
  intervals_.insert(intervals_.end(), right_side_.begin() + 1, right_side_.end());
  return intervals_;
}

}  // namespace tunesmith
