#include "metrics/gain.hh"

#include <algorithm>
#include <cmath>

namespace tunesmith {

double BleuGain::operator()(const double* sums) const {
  const double* matches = sums;
  const double* totals = sums + order_;
  const double hypothesis_length = sums[2 * order_];
  const double reference_length = sums[2 * order_ + 1];
  double log_precision = 0.0;
  for (int n = 0; n < order_; ++n) {
    if (matches[n] <= 0.0) return 0.0;
    log_precision += std::log(matches[n] / totals[n]);
  }
  const double brevity = std::min(0.0, 1.0 - reference_length / hypothesis_length);
  return std::exp(log_precision / order_ + brevity);
}

double ErrorRateGain::operator()(const double* sums) const {
  return sums[1] > 0.0 ? -sums[0] / sums[1] : (sums[0] > 0.0 ? -1.0 : 0.0);
}

double MeanGain::operator()(const double* sums) const {
  return sums[1] > 0.0 ? factor_ * sums[0] / sums[1] : 0.0;
}

int WeightedGain::size() const {
  int total = 0;
  for (const auto& part : parts_) total += part->size();
  return total;
}

double WeightedGain::operator()(const double* sums) const {
  double total = 0.0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    total += weights_[i] * (*parts_[i])(sums);
    sums += parts_[i]->size();
  }
  return total;
}

}  // namespace tunesmith
