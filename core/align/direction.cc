#include "align/direction.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "align/matrix.hh"

namespace tunesmith::align {

void DirectionCounts::add(const DirectionCounts& other) {
  jumps.add(other.jumps);
  diagonal.add(other.diagonal);
  null += other.null;
  words += other.words;
}

double DirectionSweep::run(const Direction& direction, const float* emission, const float* null,
                           std::uint32_t n, std::uint32_t m, float* posterior,
                           DirectionCounts* counts) {
  double log_likelihood;
  if (direction.positions == Positions::kJumps) {
    jumps_.set(direction.jumps, n, direction.uniform_jumps);
    log_likelihood =
        hmm_.run(emission, null, m, jumps_, direction.jumps, direction.null_probability, posterior,
                 counts != nullptr ? &counts->jumps : nullptr);
  } else {
    log_likelihood = run_independent(direction, emission, null, n, m, posterior, counts);
  }
  if (counts != nullptr) {
    double aligned = 0.0;
    for (std::uint32_t j = 0; j < m; ++j)
      aligned += lane_sum(posterior + static_cast<std::size_t>(j) * padded(n), padded(n));
    counts->null += m - aligned;
    counts->words += m;
  }
  return log_likelihood;
}

double DirectionSweep::run_independent(const Direction& direction, const float* emission,
                                       const float* null, std::uint32_t n, std::uint32_t m,
                                       float* posterior, DirectionCounts* counts) {
  const auto p0 = static_cast<float>(direction.null_probability);
  const std::uint32_t size = padded(n);
  prior_.assign(size, 1.0F / static_cast<float>(n));
  const bool diagonal = direction.positions == Positions::kDiagonal;
  std::vector<double>* aligned = nullptr;
  if (diagonal && counts != nullptr) {
    aligned = &counts->diagonal.aligned[{n, m}];
    aligned->resize(m);
  }
  double log_likelihood = 0.0;
  for (std::uint32_t j = 0; j < m; ++j) {
    const std::size_t begin = static_cast<std::size_t>(j) * size;
    float* const row = posterior + begin;
    if (diagonal) diagonal_prior(direction.tension, n, m, j, prior_.data());
    for (std::uint32_t i = 0; i < size; ++i) row[i] = (1.0F - p0) * prior_[i] * emission[begin + i];
    const float z = lane_sum(row, size) + p0 * null[j];
    log_likelihood += std::log(static_cast<double>(z));
    const float scale = 1.0F / z;
    for (std::uint32_t i = 0; i < size; ++i) row[i] *= scale;
    if (aligned == nullptr) continue;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double p = row[i];
      (*aligned)[j] += p;
      counts->diagonal.distance += p * std::abs((i + 1.0) / n - (j + 1.0) / m);
    }
  }
  return log_likelihood;
}

}  // namespace tunesmith::align
