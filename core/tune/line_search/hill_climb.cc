#include "tune/line_search/hill_climb.hh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <utility>

#include "base/random.hh"
#include "engine/parallel.hh"

namespace tunesmith::tune {

namespace {

// A step must gain more than rounding could.
constexpr double kLeastGain = 1e-10;
// Points at which a smooth objective is tried on a line, first overall, then around the best.
constexpr std::size_t kCoarse = 16, kFine = 8;

struct Choice {
  double step, gain;
};

// Where in an interval to go: to the middle, but no farther in than `reach`, so that one feature
// does not drown the others without need.
double inside(const Interval& interval, double reach) {
  const double depth = std::min(0.5 * (interval.to - interval.from), reach);
  return interval.from >= 0.0 ? interval.from + depth : interval.to - depth;
}

class Climber {
 public:
  // `smoothed` is the objective at w + step · d for posteriors of a sharpness; nothing: the score
  // of the winners.
  using Smoothed = std::function<double(double step, double sharpness)>;

  Climber(LineSpace& space, const ClimbOptions& options, double sharpness = 0.0,
          Smoothed smoothed = {})
      : options_(options),
        search_(space),
        features_(space.features()),
        sharpness_(sharpness),
        smoothed_(std::move(smoothed)) {}

  Climb run(const double* start, std::uint64_t stream) {
    Random random(options_.seed, stream);
    search_.start(start);
    std::vector<int> order;  // directions: features, then random ones
    for (int f = 0; f < features_; ++f)
      if (options_.low[f] < options_.high[f]) order.push_back(f);
    for (int r = 0; r < options_.random_directions; ++r) order.push_back(features_ + r);
    Climb climb;
    std::size_t idle = 0;
    for (int round = 0; round < options_.rounds && idle < order.size(); ++round) {
      random.shuffle(order);
      for (std::size_t i = 0; i < order.size() && idle < order.size(); ++i) {
        ++climb.searches;
        const bool gained = order[i] < features_ ? step_along(order[i]) : step_random(random);
        idle = gained ? 0 : idle + 1;
      }
    }
    // Steps update scores by differences; what is reported is counted afresh.
    climb.weights = search_.weights();
    search_.start(climb.weights.data());
    climb.gain = smoothed_ ? smoothed(0.0, length(nullptr, 0.0)) : search_.gain();
    return climb;
  }

 private:
  bool step_along(int feature) {
    const double weight = search_.weights()[feature];
    const auto& intervals =
        search_.along(feature, {options_.low[feature] - weight, options_.high[feature] - weight});
    direction_.assign(features_, 0.0);
    direction_[feature] = 1.0;
    const auto step = best_step(intervals);
    if (step != 0.0) search_.move(feature, step);
    return step != 0.0;
  }

  bool step_random(Random& random) {
    direction_.resize(features_);
    Range range;
    for (int f = 0; f < features_; ++f) {
      direction_[f] = random.normal();
      if (options_.low[f] == options_.high[f]) direction_[f] = 0.0;
      if (direction_[f] == 0.0) continue;
      double low = (options_.low[f] - search_.weights()[f]) / direction_[f];
      double high = (options_.high[f] - search_.weights()[f]) / direction_[f];
      if (low > high) std::swap(low, high);
      range.low = std::max(range.low, low);
      range.high = std::min(range.high, high);
    }
    const double* direction = direction_.data();
    const auto step = best_step(search_.along(direction, range));
    if (step != 0.0) search_.move(direction, step);
    return step != 0.0;
  }

  // The step to the best interval, 0 if none is better than the place of α = 0.
  double best_step(const std::vector<Interval>& intervals) {
    double largest = 0.0;
    for (const double weight : search_.weights()) largest = std::max(largest, std::abs(weight));
    const double reach = largest > 0.0 ? largest : 1.0;
    if (smoothed_) return best_smooth_step(intervals, reach);
    window(intervals);
    const double here = values_[search_.here()];
    Choice best{0.0, here + kLeastGain};
    for (std::size_t i = 0; i < intervals.size(); ++i) {
      if (i == search_.here() || values_[i] < best.gain) continue;
      const double step = inside(intervals[i], reach);
      // Of equals the nearest: weights do not move without cause.
      if (values_[i] > best.gain || std::abs(step) < std::abs(best.step)) best = {step, values_[i]};
    }
    return best.step;
  }

  // values_[i]: the mean, or the lowest, of the scores of interval i and its neighbours.
  void window(const std::vector<Interval>& intervals) {
    const auto count = static_cast<std::int64_t>(intervals.size());
    values_.resize(count);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t begin = std::max<std::int64_t>(i - options_.window, 0);
      const std::int64_t end = std::min(i + options_.window + 1, count);
      double sum = 0.0, lowest = intervals[begin].gain;
      for (std::int64_t k = begin; k < end; ++k) {
        sum += intervals[k].gain;
        lowest = std::min(lowest, intervals[k].gain);
      }
      values_[i] = options_.window_lowest ? lowest : sum / static_cast<double>(end - begin);
    }
  }

  // A smooth objective has no steps to find: it is tried inside of intervals spread over the
  // line, then inside of those around the best.
  double best_smooth_step(const std::vector<Interval>& intervals, double reach) {
    Choice best{0.0, smoothed(0.0, length(nullptr, 0.0)) + kLeastGain};
    std::size_t place = search_.here();
    const auto spread = [&](std::size_t begin, std::size_t end, std::size_t points) {
      const std::size_t stride = std::max<std::size_t>(1, (end - begin) / points);
      for (std::size_t i = begin + (end - begin - 1) % stride / 2; i < end; i += stride) {
        if (i == search_.here()) continue;
        const double step = inside(intervals[i], reach);
        const double gain = smoothed(step, length(direction_.data(), step));
        if (gain > best.gain) {
          best = {step, gain};
          place = i;
        }
      }
      return stride;
    };
    const std::size_t stride = spread(0, intervals.size(), kCoarse);
    if (stride > 1)
      spread(place > stride ? place - stride : 0, std::min(place + stride, intervals.size()),
             kFine);
    return best.step;
  }

  // ‖w + step d‖.
  double length(const double* direction, double step) const {
    double sum = 0.0;
    for (int f = 0; f < features_; ++f) {
      const double weight = search_.weights()[f] + (direction ? step * direction[f] : 0.0);
      sum += weight * weight;
    }
    return std::sqrt(sum);
  }

  double smoothed(double step, double length) const {
    return smoothed_(step, length > 0.0 ? sharpness_ / length : 0.0);
  }

  const ClimbOptions& options_;
  LineSpace& search_;
  int features_;
  double sharpness_;
  Smoothed smoothed_;
  std::vector<double> direction_, values_;
};

}  // namespace

Climb climb(LineSpace& space, std::span<const double> start, const ClimbOptions& options,
            std::uint64_t stream) {
  return Climber(space, options).run(start.data(), stream);
}

std::vector<Climb> climb(const PoolColumns& columns, const metrics::Gain& gain,
                         std::span<const double> starts, const ClimbOptions& options,
                         double sharpness, std::uint64_t first, int threads) {
  const std::size_t features = columns.features();
  std::vector<Climb> climbs(features ? starts.size() / features : 0);
  std::vector<std::unique_ptr<ListLineSearch>> searches(engine::resolve_threads(threads));
  engine::parallel_for_worker(climbs.size(), threads, [&](std::size_t i, int worker) {
    if (!searches[worker]) searches[worker] = std::make_unique<ListLineSearch>(columns, gain);
    ListLineSearch& search = *searches[worker];
    Climber::Smoothed smoothed;
    if (sharpness > 0.0)
      smoothed = [&](double step, double each) { return search.smoothed(step, each); };
    climbs[i] = Climber(search, options, sharpness, std::move(smoothed))
                    .run(&starts[i * features], first + i);
  });
  return climbs;
}

}  // namespace tunesmith::tune
