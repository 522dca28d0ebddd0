// How large a weight may be.
#pragma once

#include <cmath>
#include <span>

#include "base/error.hh"

namespace tunesmith {

// Searches add weights times values in single precision, which ends at 3.4e38: this leaves room for
// features that come to 1e18 in a sentence. Only the direction of weights counts: nothing is lost.
inline constexpr double kMaxWeight = 1e20;

// Refuses what is not a number, and what is too large to be added up.
inline void check_weights(std::span<const double> weights) {
  for (const double weight : weights) {
    if (!std::isfinite(weight)) throw OptionError("a weight is not a finite number");
    if (std::abs(weight) > kMaxWeight) throw OptionError("a weight is larger than 1e20");
  }
}

}  // namespace tunesmith
