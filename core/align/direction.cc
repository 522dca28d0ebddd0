#include "align/direction.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tunesmith {

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
    for (std::size_t k = 0; k < static_cast<std::size_t>(n) * m; ++k) aligned += posterior[k];
    counts->null += m - aligned;
    counts->words += m;
  }
  return log_likelihood;
}

double DirectionSweep::run_independent(const Direction& direction, const float* emission,
                                       const float* null, std::uint32_t n, std::uint32_t m,
                                       float* posterior, DirectionCounts* counts) {
  const auto p0 = static_cast<float>(direction.null_probability);
  prior_.resize(std::max(prior_.size(), static_cast<std::size_t>(n) * m));
  const bool diagonal = direction.positions == Positions::kDiagonal;
  if (diagonal)
    diagonal_prior(direction.tension, n, m, prior_.data());
  else
    std::fill_n(prior_.data(), static_cast<std::size_t>(n) * m, 1.0F / static_cast<float>(n));
  std::vector<double>* aligned = nullptr;
  if (diagonal && counts != nullptr) {
    aligned = &counts->diagonal.aligned[{n, m}];
    aligned->resize(m);
  }
  double log_likelihood = 0.0;
  for (std::uint32_t j = 0; j < m; ++j) {
    const std::size_t begin = static_cast<std::size_t>(j) * n;
    float z = p0 * null[j];
    for (std::uint32_t i = 0; i < n; ++i) {
      posterior[begin + i] = (1.0F - p0) * prior_[begin + i] * emission[begin + i];
      z += posterior[begin + i];
    }
    log_likelihood += std::log(static_cast<double>(z));
    const float scale = 1.0F / z;
    for (std::uint32_t i = 0; i < n; ++i) posterior[begin + i] *= scale;
    if (aligned == nullptr) continue;
    for (std::uint32_t i = 0; i < n; ++i) {
      const double p = posterior[begin + i];
      (*aligned)[j] += p;
      counts->diagonal.distance += p * std::abs((i + 1.0) / n - (j + 1.0) / m);
    }
  }
  return log_likelihood;
}

}  // namespace tunesmith
