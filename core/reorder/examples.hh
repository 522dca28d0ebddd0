// Phrase pairs as a classifier sees them: binary features and the class to be found.
#pragma once

#include <cstdint>
#include <span>

namespace tunesmith::reorder {

// More classes than orientations are not foreseen: loops over classes are unrolled.
constexpr int kMinClasses = 2, kMaxClasses = 4;

// Borrowed arrays. Example i has the features [offsets[i], offsets[i + 1]), each once.
struct Examples {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> features;
  std::span<const std::uint8_t> classes;
  std::uint32_t feature_count = 0;
  int class_count = 0;

  std::size_t size() const { return classes.size(); }
  std::span<const std::uint32_t> row(std::size_t i) const {
    return features.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
  // Weights stand by feature, then by class.
  std::size_t weights() const { return static_cast<std::size_t>(feature_count) * class_count; }
};

// Throws OptionError unless the arrays fit together, with classes and features in their ranges.
void check_examples(const Examples& examples);

// What weights make of examples.
struct Fit {
  double loss = 0.0;         // − Σ log p(class)
  std::uint64_t errors = 0;  // how often another class is at least as probable
};
Fit measure(const Examples& examples, std::span<const double> weights, int threads);

// The regularised negative log-likelihood, Eq. 6 of Alrajeh & Niranjan (2014), of weights with this
// fit: ‖w‖² / 2σ² + loss.
double primal_objective(const Fit& fit, std::span<const double> weights, double variance);

double squared_norm(std::span<const double> weights);

}  // namespace tunesmith::reorder
