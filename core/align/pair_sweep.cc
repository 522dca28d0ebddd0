#include "align/pair_sweep.hh"

#include <algorithm>

namespace tunesmith::align {
namespace {

void null_emission(std::span<const float> null, std::span<const std::uint32_t> words,
                   std::vector<float>& out) {
  out.resize(std::max(out.size(), words.size()));
  for (std::size_t k = 0; k < words.size(); ++k)
    out[k] = std::max(kUnseenProbability, words[k] < null.size() ? null[words[k]] : 0.0F);
}

}  // namespace

void PairSweep::run(const LexiconView& lexicon, const Direction& forward, const Direction& reverse,
                    std::span<const std::uint32_t> source, std::span<const std::uint32_t> target,
                    const std::uint32_t* places, DirectionCounts* forward_counts,
                    DirectionCounts* reverse_counts) {
  const auto n = n_ = static_cast<std::uint32_t>(source.size());
  const auto m = m_ = static_cast<std::uint32_t>(target.size());
  const std::size_t forward_row = padded(n), reverse_row = padded(m);
  // The padding must be zero.
  forward_emission_.assign(m * forward_row, 0.0F);
  reverse_emission_.assign(n * reverse_row, 0.0F);
  forward_.resize(std::max(forward_.size(), m * forward_row));
  reverse_.resize(std::max(reverse_.size(), n * reverse_row));
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t place = places[static_cast<std::size_t>(i) * m + j];
      float& t_forward = forward_emission_[j * forward_row + i];
      float& t_reverse = reverse_emission_[i * reverse_row + j];
      t_forward = t_reverse = kUnseenProbability;
      if (place == 0) continue;
      t_forward = std::max(kUnseenProbability, lexicon.forward[place - 1]);
      t_reverse = std::max(kUnseenProbability, lexicon.reverse[place - 1]);
    }
  }
  null_emission(lexicon.null_forward, target, null_);
  forward_log_likelihood_ = sweep_.run(forward, forward_emission_.data(), null_.data(), n, m,
                                       forward_.data(), forward_counts);
  null_emission(lexicon.null_reverse, source, null_);
  reverse_log_likelihood_ = sweep_.run(reverse, reverse_emission_.data(), null_.data(), m, n,
                                       reverse_.data(), reverse_counts);
}

}  // namespace tunesmith::align
