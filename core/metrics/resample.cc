#include "metrics/resample.hh"

#include <algorithm>

#include "base/random.hh"
#include "engine/parallel.hh"

namespace tunesmith {
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
  parallel_for(trials, threads, [&](std::size_t trial) {
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

void exchange_gains(const Gain& gain, SystemStats first, SystemStats second, std::size_t segments,
                    std::size_t trials, std::uint64_t seed, double* out, int threads) {
  const auto size = static_cast<std::size_t>(gain.size());
  // The pair of sums moves by ± the difference of every segment that is exchanged.
  std::vector<std::int64_t> first_sum(size), second_sum(size);
  std::vector<std::int32_t> differences(segments * size);
  for (std::size_t i = 0; i < segments; ++i) {
    for (std::size_t k = 0; k < size; ++k) {
      const std::size_t at = i * size + k;
      first_sum[k] += first[at];
      second_sum[k] += second[at];
      differences[at] = second[at] - first[at];
    }
  }
  parallel_for(trials, threads, [&](std::size_t trial) {
    Random random(seed, trial);
    std::vector<std::int64_t> moved(size), sums(size);
    std::vector<double> real;
    std::uint64_t coins = 0;
    for (std::size_t i = 0; i < segments; ++i, coins >>= 1) {
      if (i % 64 == 0) coins = random.bits();
      if ((coins & 1) == 0) continue;
      const std::int32_t* row = differences.data() + i * size;
      for (std::size_t k = 0; k < size; ++k) moved[k] += row[k];
    }
    for (std::size_t k = 0; k < size; ++k) sums[k] = first_sum[k] + moved[k];
    out[2 * trial] = gain_of(gain, sums, real);
    for (std::size_t k = 0; k < size; ++k) sums[k] = second_sum[k] - moved[k];
    out[2 * trial + 1] = gain_of(gain, sums, real);
  });
}

}  // namespace tunesmith
