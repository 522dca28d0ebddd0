// From expected counts to probabilities: plain EM, a Dirichlet prior, or variational Bayes.
#pragma once

#include <cmath>

namespace tunesmith::align {

enum class Smoothing {
  kNone,         // c / total: maximum likelihood
  kDirichlet,    // (c + α) / (total + α K): the posterior mean
  kVariational,  // exp ψ(c + α) / exp ψ(total + α K): Johnson (2007), Riley and Gildea (2012)
};

// exp ψ(x) for x > 0, relative error below 1e-7. Behaves as x − ½ for large x and vanishes quickly
// below ½: small counts are discounted more than large ones.
inline double exp_digamma(double x) {
  // ψ(x) = ψ(x + 1) − 1/x until the asymptotic series is exact enough.
  double shift = 0.0;
  while (x < 6.0) {
    shift += 1.0 / x;
    x += 1.0;
  }
  const double y = 1.0 / (x * x);
  const double psi =
      std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240))));
  return std::exp(psi - shift);
}

struct Prior {
  Smoothing smoothing = Smoothing::kVariational;
  double alpha = 0.01;

  // Numerator and denominator of a probability; `outcomes` is K.
  double weight(double count) const {
    if (smoothing == Smoothing::kNone) return count;
    if (smoothing == Smoothing::kDirichlet) return count + alpha;
    const double x = count + alpha;
    // Below 1/30 the value is under e^−30: nothing that a float sum would notice.
    return x < 1.0 / 30 ? 0.0 : exp_digamma(x);
  }
  double total(double counts, double outcomes) const {
    if (smoothing == Smoothing::kNone) return counts;
    const double x = counts + alpha * outcomes;
    return smoothing == Smoothing::kDirichlet ? x : exp_digamma(x);
  }
};

}  // namespace tunesmith::align
