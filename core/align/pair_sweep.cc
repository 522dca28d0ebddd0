#include "align/pair_sweep.hh"

#include <algorithm>

namespace tunesmith {
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
  const auto n = static_cast<std::uint32_t>(source.size());
  const auto m = static_cast<std::uint32_t>(target.size());
  const std::size_t cells = static_cast<std::size_t>(n) * m;
  for (auto* buffer : {&forward_emission_, &reverse_emission_, &forward_, &reverse_})
    buffer->resize(std::max(buffer->size(), cells));
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t place = places[static_cast<std::size_t>(i) * m + j];
      float& t_forward = forward_emission_[static_cast<std::size_t>(j) * n + i];
      float& t_reverse = reverse_emission_[static_cast<std::size_t>(i) * m + j];
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

}  // namespace tunesmith
