#include "align/jumps.hh"

#include <algorithm>
#include <cstdlib>

#include "align/matrix.hh"

namespace tunesmith::align {

JumpWeights JumpWeights::initial(std::uint32_t reach) {
  JumpWeights out;
  out.reach = reach;
  const auto limit = static_cast<std::int64_t>(reach) + 1;
  for (std::int64_t d = -limit; d <= limit; ++d)
    out.jump.push_back(1.0F / static_cast<float>(1 + std::abs(d - 1)));
  for (std::int64_t i = 0; i <= limit; ++i) out.first.push_back(1.0F / static_cast<float>(1 + i));
  return out;
}

void JumpCounts::add(const JumpCounts& other) {
  const auto sum = [](std::vector<double>& into, const std::vector<double>& from) {
    for (std::size_t i = 0; i < into.size(); ++i) into[i] += from[i];
  };
  sum(jump, other.jump);
  sum(jump_mass, other.jump_mass);
  sum(first, other.first);
  sum(first_mass, other.first_mass);
}

namespace {

void update_weights(std::vector<float>& weights, const std::vector<double>& counts,
                    const std::vector<double>& mass) {
  std::vector<double> fresh(weights.size());
  double total = 0.0;
  for (std::size_t b = 0; b < weights.size(); ++b) {
    // A jump that was never possible keeps its weight.
    fresh[b] = mass[b] > 0.0 ? counts[b] / mass[b] : weights[b];
    total += fresh[b];
  }
  if (!(total > 0.0)) return;
  for (std::size_t b = 0; b < weights.size(); ++b)
    weights[b] = static_cast<float>(std::max(fresh[b] / total, 1e-12));
}

}  // namespace

void update(JumpWeights& weights, const JumpCounts& counts) {
  update_weights(weights.jump, counts.jump, counts.jump_mass);
  update_weights(weights.first, counts.first, counts.first_mass);
}

void JumpTable::set(const JumpWeights& weights, std::uint32_t length, double mixture) {
  n = length;
  uniform = static_cast<float>(mixture / n);
  const std::int64_t last = static_cast<std::int64_t>(n) - 1;
  const std::uint32_t size = padded(n);
  ahead.assign(2ULL * size, 0.0F);
  back.assign(2ULL * size, 0.0F);
  for (std::int64_t d = -last; d <= last; ++d) {
    ahead[static_cast<std::size_t>(last + d)] = weights.jump[weights.bucket(d)];
    back[static_cast<std::size_t>(last - d)] = weights.jump[weights.bucket(d)];
  }
  inverse.assign(size, 0.0F);
  // norm_i = Σ of n neighbouring weights; the window moves by one as i does.
  double norm = 0.0;
  for (std::size_t k = 0; k < n; ++k) norm += ahead[k];
  for (std::size_t i = n; i-- > 0;) {
    inverse[i] = static_cast<float>((1.0 - mixture) / norm);
    if (i > 0) norm += static_cast<double>(ahead[2ULL * n - 1 - i]) - ahead[n - 1 - i];
  }
  first.assign(size, 0.0F);
  first_norm = 0.0;
  const auto weight_of = [&](std::size_t i) {
    return weights.first[std::min<std::size_t>(i, weights.reach + 1ULL)];
  };
  for (std::size_t i = 0; i < n; ++i) first_norm += weight_of(i);
  for (std::size_t i = 0; i < n; ++i)
    first[i] = static_cast<float>((1.0 - mixture) * weight_of(i) / first_norm) + uniform;
}

}  // namespace tunesmith::align
