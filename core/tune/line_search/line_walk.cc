#include "tune/line_search/line_walk.hh"

#include <algorithm>

namespace tunesmith::tune {

namespace {

// The first row of the highest score.
std::int32_t first_highest(const double* scores, std::int64_t size) {
  constexpr std::int64_t kBlock = PoolColumns::kLanes;
  double highest[kBlock];
  std::copy(scores, scores + kBlock, highest);
  for (std::int64_t i = kBlock; i < size; i += kBlock)
    for (int k = 0; k < kBlock; ++k)
      highest[k] = scores[i + k] > highest[k] ? scores[i + k] : highest[k];
  const double top = *std::max_element(highest, highest + kBlock);
  return static_cast<std::int32_t>(std::find(scores, scores + size, top) - scores);
}

}  // namespace

LineWalk::LineWalk(const PoolColumns& columns, std::span<const double> extra)
    : columns_(columns),
      extra_(extra),
      weights_(columns.features()),
      scores_(columns.slots()),
      winners_(columns.sentences()) {}

void LineWalk::start(const double* weights) {
  weights_.assign(weights, weights + columns_.features());
  score();
}

void LineWalk::move(int feature, double step) {
  weights_[feature] += step;
  const float* values = columns_.column(feature);
  for (std::int64_t i = 0; i < columns_.slots(); ++i) scores_[i] += step * values[i];
  settle();
}

void LineWalk::move(const double* direction, double step) {
  for (int f = 0; f < columns_.features(); ++f) weights_[f] += step * direction[f];
  score();
}

void LineWalk::score() {
  columns_.combine(weights_.data(), scores_.data());
  for (std::size_t i = 0; i < extra_.size(); ++i) scores_[i] += extra_[i];
  settle();
}

void LineWalk::settle() {
  for (std::int64_t s = 0; s < columns_.sentences(); ++s)
    winners_[s] = first_highest(scores_.data() + columns_.begin(s), columns_.size(s));
}

template <typename Slope, typename EndsOf>
void LineWalk::look(const Slope* slopes, const EndsOf& ends_of, Range range) {
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
}

void LineWalk::look_along(int feature, Range range) {
  look(columns_.column(feature), [&](std::int64_t s) { return columns_.ends(feature, s); }, range);
}

void LineWalk::look_along(const double* direction, Range range) {
  slopes_.resize(columns_.slots());
  columns_.combine(direction, slopes_.data());
  look(
      slopes_.data(),
      [&](std::int64_t s) {
        return find_ends(slopes_.data() + columns_.begin(s), columns_.rows(s));
      },
      range);
}

}  // namespace tunesmith::tune
