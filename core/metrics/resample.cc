#include "metrics/resample.hh"

#include <algorithm>

#include "base/random.hh"
#include "engine/parallel.hh"

namespace tunesmith::metrics {
namespace {

double gain_of(const Gain& gain, const std::vector<std::int64_t>& sums, std::vector<double>& real) {
  real.assign(sums.begin(), sums.end());
  return gain(real.data());
}

}  // namespace

void bootstrap_gains(const Gain& gain, const std::vector<SystemStats>& systems,
                     std::size_t segments, std::size_t trials, std::uint64_t seed, double* out,
                     int threads) {
  const auto size = static_cast<std::size_t>(gain.size());
  engine::parallel_for(trials, threads, [&](std::size_t trial) {
    Random random(seed, trial);
    std::vector<std::int32_t> times(segments);
    for (std::size_t i = 0; i < segments; ++i) ++times[random.below(segments)];
    std::vector<std::int64_t> sums;
    std::vector<double> real;
    for (std::size_t s = 0; s < systems.size(); ++s) {
      sums.assign(size, 0);
      for (std::size_t i = 0; i < segments; ++i) {
        if (times[i] == 0) continue;
        const std::int32_t* row = systems[s] + i * size;
        for (std::size_t k = 0; k < size; ++k)
          sums[k] += static_cast<std::int64_t>(times[i]) * row[k];
      }
      out[trial * systems.size() + s] = gain_of(gain, sums, real);
    }
  });
}

void exchange_gains(const Gain& gain, const std::vector<SystemStats>& first,
                    const std::vector<SystemStats>& second, std::size_t segments,
                    std::size_t trials, std::uint64_t seed, double* out, int threads) {
  const auto size = static_cast<std::size_t>(gain.size());
  const std::size_t runs = first.size(), width = runs * size;
  // The pair of sums moves by ± the difference of every segment that is exchanged; the runs of a
  // segment stand side by side.
  std::vector<std::int64_t> first_sum(width), second_sum(width);
  std::vector<std::int32_t> differences(segments * width);
  for (std::size_t run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < segments; ++i) {
      for (std::size_t k = 0; k < size; ++k) {
        const std::size_t at = run * size + k;
        first_sum[at] += first[run][i * size + k];
        second_sum[at] += second[run][i * size + k];
        differences[i * width + at] = second[run][i * size + k] - first[run][i * size + k];
      }
    }
  }
  engine::parallel_for(trials, threads, [&](std::size_t trial) {
    Random random(seed, trial);
    std::vector<std::int64_t> moved(width), sums(size);
    std::vector<double> real;
    std::uint64_t coins = 0;
    for (std::size_t i = 0; i < segments; ++i, coins >>= 1) {
      if (i % 64 == 0) coins = random.bits();
      if ((coins & 1) == 0) continue;
      const std::int32_t* row = differences.data() + i * width;
      for (std::size_t k = 0; k < width; ++k) moved[k] += row[k];
    }
    double means[2] = {0, 0};
    for (std::size_t run = 0; run < runs; ++run) {
      const std::size_t at = run * size;
      for (std::size_t k = 0; k < size; ++k) sums[k] = first_sum[at + k] + moved[at + k];
      means[0] += gain_of(gain, sums, real);
      for (std::size_t k = 0; k < size; ++k) sums[k] = second_sum[at + k] - moved[at + k];
      means[1] += gain_of(gain, sums, real);
    }
    for (int side = 0; side < 2; ++side)
      out[2 * trial + side] = means[side] / static_cast<double>(runs);
  });
}

}  // namespace tunesmith::metrics
