#include "tune/line_search/smoothed_count.hh"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tunesmith::tune {

namespace {

// A hypothesis this far below the best (in logs) counts for less than rounding.
constexpr double kNegligible = -40.0;

template <typename Slope>
double smoothed(const PoolColumns& columns, const metrics::Gain& gain, const double* scores,
                const Slope* slopes, double step, double sharpness) {
  const int size = columns.stats_size();
  std::vector<double> total(size, 0.0), sums(size);
  for (std::int64_t s = 0; s < columns.sentences(); ++s) {
    const std::int64_t begin = columns.begin(s), end = begin + columns.rows(s);
    const auto score = [&](std::int64_t i) { return scores[i] + step * slopes[i]; };
    double best = score(begin);
    for (std::int64_t i = begin + 1; i < end; ++i) best = std::max(best, score(i));
    std::fill(sums.begin(), sums.end(), 0.0);
    double mass = 0.0;
    for (std::int64_t i = begin; i < end; ++i) {
      const double log_mass = sharpness * (score(i) - best);
      if (log_mass < kNegligible) continue;
      const double p = std::exp(log_mass);
      const std::int32_t* stats = columns.stats(columns.kinds()[i]);
      for (int k = 0; k < size; ++k) sums[k] += p * stats[k];
      mass += p;
    }
    for (int k = 0; k < size; ++k) total[k] += sums[k] / mass;
  }
  return gain(total.data());
}

}  // namespace

double smoothed_gain(const PoolColumns& columns, const metrics::Gain& gain, const double* scores,
                     const float* slopes, double step, double sharpness) {
  return smoothed(columns, gain, scores, slopes, step, sharpness);
}

double smoothed_gain(const PoolColumns& columns, const metrics::Gain& gain, const double* scores,
                     const double* slopes, double step, double sharpness) {
  return smoothed(columns, gain, scores, slopes, step, sharpness);
}

}  // namespace tunesmith::tune
