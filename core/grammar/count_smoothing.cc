#include "grammar/count_smoothing.hh"

#include <cmath>

namespace tunesmith::grammar {
namespace {

// Counts above this are trusted as they are (Katz 1987).
constexpr int kTuringLimit = 5;

// How many places of a phrase the probabilities of all corpora count as, among those that one of
// them has. Five were no better on held-out text.
constexpr double kOriginPrior = 1.0;

}  // namespace

double log_in_corpus(std::uint32_t joint, double given, double probability) {
  return std::log((joint + kOriginPrior * probability) / (given + kOriginPrior));
}

SmoothedFrequency::SmoothedFrequency(CountSmoothing kind, const CountsOfCounts& n, double pairs)
    : kind_(kind), pairs_(std::max(pairs, 1.0)) {
  // Modified Kneser–Ney discounts (Chen & Goodman 1998); where counts of counts are too few to
  // estimate them, the usual 0.5, 1 and 1.5.
  const double y = n[1] + 2 * n[2] > 0 ? n[1] / (n[1] + 2 * n[2]) : 0.0;
  const std::array<double, 4> fallback{0.0, 0.5, 1.0, 1.5};
  for (int c = 1; c <= 3; ++c) {
    const double d = n[c] > 0 ? c - (c + 1) * y * n[c + 1] / n[c] : -1.0;
    discounts_[c] = d > 0.0 && d < c ? d : fallback[c];
  }
  // Good–Turing with Katz's renormalisation for counts up to the limit.
  for (int c = 1; c <= CountsOfCounts::kLargest; ++c) turing_[c] = c;
  const double cut = n[1] > 0 ? (kTuringLimit + 1) * n[kTuringLimit + 1] / n[1] : 1.0;
  for (int c = 1; c <= kTuringLimit && cut < 1.0; ++c) {
    if (n[c] <= 0 || n[c + 1] <= 0) break;
    const double raw = (c + 1) * n[c + 1] / n[c];
    const double value = (raw - c * cut) / (1.0 - cut);
    if (value > 0.0 && value < c) turing_[c] = value;
  }
}

double SmoothedFrequency::operator()(std::uint32_t joint, const ConditionCounts& given,
                                     double partners) const {
  switch (kind_) {
    case CountSmoothing::kNone:
      return joint / given.total;
    case CountSmoothing::kGoodTuring:
      return (joint <= CountsOfCounts::kLargest ? turing_[joint] : joint) / given.total;
    case CountSmoothing::kKneserNey: {
      const double freed =
          discounts_[1] * given.ones + discounts_[2] * given.twos + discounts_[3] * given.more;
      return (joint - discount(joint)) / given.total + freed / given.total * partners / pairs_;
    }
  }
  return 0.0;
}

}  // namespace tunesmith::grammar
