#include "align/diagonal.hh"

#include <algorithm>
#include <cmath>

namespace tunesmith::align {
namespace {

// Σ_{k<K} r^(a+k) and Σ_{k<K} (a+k) r^(a+k).
struct Series {
  double sum, weighted;
};

Series series(double a, double terms, double r, double log_r) {
  if (terms <= 0.0) return {0.0, 0.0};
  const double q = 1.0 - r, first = std::exp(a * log_r), tail = std::exp(terms * log_r);
  const double sum = (1.0 - tail) / q;
  const double steps = (r - terms * tail + (terms - 1.0) * tail * r) / (q * q);
  return {first * sum, first * (a * sum + steps)};
}

// The mean of |i/n − j/m| under the prior.
double mean_distance(double tension, std::uint32_t n, std::uint32_t m, std::uint32_t j) {
  const double log_r = -tension / n, r = std::exp(log_r);
  const double centre = static_cast<double>(n) * j / m, below = std::floor(centre);
  const Series low = series(centre - below, below, r, log_r);
  const Series high = series(below + 1.0 - centre, n - below, r, log_r);
  return (low.weighted + high.weighted) / (low.sum + high.sum) / n;
}

}  // namespace

void diagonal_prior(double tension, std::uint32_t n, std::uint32_t m, std::uint32_t j,
                    float* prior) {
  const double r = std::exp(-tension / n);
  const double centre = static_cast<double>(n) * (j + 1) / m;
  const auto below = static_cast<std::uint32_t>(centre);
  double sum = 0.0;
  double weight = std::pow(r, centre - below);
  for (std::uint32_t i = below; i >= 1; --i, weight *= r) {
    prior[i - 1] = static_cast<float>(weight);
    sum += weight;
  }
  weight = std::pow(r, below + 1.0 - centre);
  for (std::uint32_t i = below + 1; i <= n; ++i, weight *= r) {
    prior[i - 1] = static_cast<float>(weight);
    sum += weight;
  }
  const auto scale = static_cast<float>(1.0 / sum);
  for (std::uint32_t i = 0; i < n; ++i) prior[i] *= scale;
}

void DiagonalCounts::add(const DiagonalCounts& other) {
  distance += other.distance;
  for (const auto& [size, counts] : other.aligned) {
    std::vector<double>& into = aligned[size];
    into.resize(counts.size());
    for (std::size_t j = 0; j < counts.size(); ++j) into[j] += counts[j];
  }
}

double best_tension(const DiagonalCounts& counts) {
  const auto slope = [&](double tension) {
    double expected = 0.0;
    for (const auto& [size, aligned] : counts.aligned) {
      for (std::uint32_t j = 1; j <= size.second; ++j)
        expected += aligned[j - 1] * mean_distance(tension, size.first, size.second, j);
    }
    return expected - counts.distance;
  };
  double low = kMinTension, high = kMaxTension;
  if (slope(low) <= 0.0) return low;
  if (slope(high) >= 0.0) return high;
  for (int step = 0; step < 40; ++step) {
    const double middle = 0.5 * (low + high);
    (slope(middle) > 0.0 ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace tunesmith::align
