#include "decode/translation.hh"

namespace tunesmith::decode {

double FeatureValues::dot(std::span<const double> weights) const {
  double total = 0.0;
  for (std::size_t i = 0; i < dense.size(); ++i) total += weights[i] * dense[i];
  return total + sparse.row().dot(weights.data() + dense.size());
}

}  // namespace tunesmith::decode
