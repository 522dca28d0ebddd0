#include "tune/graph_risk.hh"

#include "tune/lbfgs.hh"

namespace tunesmith::tune {

GraphRisk::GraphRisk(const graph::BleuSpace& space, const metrics::Gain& gain,
                     std::span<const double> scale, double factor, double l2, int threads)
    : expected_(space, gain, threads),
      scale_(scale.begin(), scale.end()),
      factor_(factor),
      l2_(l2),
      weights_(scale.size()) {}

double GraphRisk::operator()(std::span<const double> weights, std::span<double> gradient) {
  for (std::size_t f = 0; f < weights_.size(); ++f) weights_[f] = weights[f] / scale_[f];
  sums_ = expected_.expect(weights_);
  expected_.differentiate(sums_);
  double objective = -factor_ * expected_.gain()(sums_.data());
  for (std::size_t f = 0; f < weights.size(); ++f) {
    objective += 0.5 * l2_ * weights[f] * weights[f];
    gradient[f] = l2_ * weights[f];
  }
  for (std::int64_t s = 0; s < space().sentences(); ++s) {
    const auto features = expected_.features(s);
    const auto slopes = expected_.gradient(s);
    for (std::size_t i = 0; i < slopes.size(); ++i)
      gradient[features[i]] -= factor_ * slopes[i] / scale_[features[i]];
  }
  return objective;
}

double GraphRisk::descend(std::vector<double>& weights, int iterations) {
  // The brevity penalty and the clipping of counts have kinks, and optima like to be in one.
  const LbfgsOptions options{.iterations = iterations, .trials = 12, .tolerance = 1e-5};
  return minimise([this](std::span<const double> x,
                         std::span<double> gradient) { return (*this)(x, gradient); },
                  weights, options)
      .value;
}

}  // namespace tunesmith::tune
