// IBM model 2 with positions on the diagonal (Dyer et al., 2013): for word j of m, counted from 1,
//
//   p(a_j = i | m, n) = (1 − p0) exp(−λ |i/n − j/m|) / Z_j(λ),    p(a_j = NULL) = p0
//
// Z and its derivative are sums of geometric series, so they cost the same for any n.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tunesmith::align {

// The tension λ is kept in this range, as in fast_align.
constexpr double kMinTension = 0.1, kMaxTension = 20.0;

// Writes exp(−λ |i/n − j/m|) / Z_j for all i to prior[i], where both count from 0.
void diagonal_prior(double tension, std::uint32_t n, std::uint32_t m, std::uint32_t j,
                    float* prior);

// What the E-step found: the expected sum of |i/n − j/m|, and for every size (n, m) how often each
// of the m words is aligned to a word, as expected.
struct DiagonalCounts {
  double distance = 0.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> aligned;

  void add(const DiagonalCounts& other);
};

// The tension that maximises the expected log-likelihood −λ·distance − Σ ln Z_j(λ), which is
// concave in λ, by bisection of its derivative.
double best_tension(const DiagonalCounts& counts);

}  // namespace tunesmith::align
