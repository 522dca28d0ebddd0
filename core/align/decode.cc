#include "align/decode.hh"

#include <algorithm>
#include <cmath>

#include "align/block.hh"
#include "align/pair_sweep.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

struct ScoredLink {
  Link link;
  float probability;
};

// The best of n posteriors, if it beats NULL; else n.
std::uint32_t best_of(const float* posterior, std::uint32_t n) {
  const float null = 1.0F - lane_sum(posterior, padded(n));
  const auto best =
      static_cast<std::uint32_t>(std::max_element(posterior, posterior + n) - posterior);
  return posterior[best] > 0.0F && posterior[best] >= null ? best : n;
}

std::vector<ScoredLink> links_of(const PairSweep& sweep, std::uint32_t n, std::uint32_t m,
                                 const LinkOptions& options) {
  const auto probability = [&](std::uint32_t i, std::uint32_t j) {
    // Rounding in long sentences can leave a posterior a little above 1.
    return std::min(std::sqrt(sweep.forward(j)[i] * sweep.reverse(i)[j]), 1.0F);
  };
  std::vector<ScoredLink> out;
  if (!options.symmetrisation) {
    const auto threshold = static_cast<float>(options.threshold);
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < m; ++j)
        if (const float p = probability(i, j); p > threshold) out.push_back({{i, j}, p});
    return out;
  }
  std::vector<Link> ahead, back;
  for (std::uint32_t j = 0; j < m; ++j)
    if (const std::uint32_t i = best_of(sweep.forward(j), n); i < n) ahead.push_back({i, j});
  for (std::uint32_t i = 0; i < n; ++i)
    if (const std::uint32_t j = best_of(sweep.reverse(i), m); j < m) back.push_back({i, j});
  for (const Link& link : symmetrise_pair(ahead, back, *options.symmetrisation))
    out.push_back({link, probability(link.source, link.target)});
  return out;
}

}  // namespace

formats::LinkLists align(const PairView& text, const LexiconView& lexicon, const Direction& forward,
                         const Direction& reverse, const LinkOptions& options) {
  const int threads = engine::resolve_threads(options.threads);
  const std::vector<Block> blocks = cut_into_blocks(text);
  std::vector<BlockIndex> indices(threads);
  std::vector<PairSweep> sweeps(threads);
  std::vector<formats::LinkLists> parts(blocks.size());
  engine::parallel_for_worker(blocks.size(), threads, [&](std::size_t b, int worker) {
    indices[worker].set(text, lexicon, blocks[b]);
    PairSweep& sweep = sweeps[worker];
    formats::LinkLists& part = parts[b];
    for (std::size_t s = blocks[b].first; s < blocks[b].last; ++s) {
      if (text.used(s)) {
        const auto source = text.source[s], target = text.target[s];
        sweep.run(lexicon, forward, reverse, source, target, indices[worker].places(s), nullptr,
                  nullptr);
        for (const auto& [link, probability] :
             links_of(sweep, text.source.length(s), text.target.length(s), options)) {
          part.source.push_back(link.source);
          part.target.push_back(link.target);
          part.probability.push_back(probability);
        }
      }
      part.offsets.push_back(part.source.size());
    }
  });
  formats::LinkLists out;
  for (formats::LinkLists& part : parts) {
    const std::uint64_t before = out.source.size();
    for (std::size_t s = 1; s < part.offsets.size(); ++s)
      out.offsets.push_back(before + part.offsets[s]);
    out.source.insert(out.source.end(), part.source.begin(), part.source.end());
    out.target.insert(out.target.end(), part.target.begin(), part.target.end());
    out.probability.insert(out.probability.end(), part.probability.begin(), part.probability.end());
    part = {};
  }
  return out;
}

}  // namespace tunesmith::align
