#include "align/scores.hh"

#include <algorithm>
#include <cmath>

#include "align/block.hh"
#include "align/pair_sweep.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

// ln p(words | nothing): all come from NULL.
double from_null(std::span<const std::uint32_t> words, std::span<const float> null,
                 double null_probability) {
  double sum = 0.0;
  for (const std::uint32_t word : words) {
    const float p = word < null.size() ? null[word] : 0.0F;
    sum += std::log(std::max<double>(null_probability, kUnseenProbability) *
                    std::max(p, kUnseenProbability));
  }
  return sum;
}

// Whether NULL is more probable than each of the n positions.
bool is_unlinked(const float* posterior, std::uint32_t n) {
  const float null = 1.0F - lane_sum(posterior, padded(n));
  return *std::max_element(posterior, posterior + n) < null;
}

}  // namespace

PairScores score_pairs(const PairView& text, const LexiconView& lexicon, const Direction& forward,
                       const Direction& reverse, int threads) {
  threads = engine::resolve_threads(threads);
  PairView all = text;
  all.max_length = 0xFFFFFFFF;
  const std::vector<Block> blocks = cut_into_blocks(all);
  std::vector<BlockIndex> indices(static_cast<std::size_t>(threads));
  std::vector<PairSweep> sweeps(static_cast<std::size_t>(threads));
  PairScores out{std::vector<double>(all.size()), std::vector<double>(all.size()),
                 std::vector<std::uint32_t>(all.size())};
  engine::parallel_for_worker(blocks.size(), threads, [&](std::size_t b, int worker) {
    BlockIndex& index = indices[static_cast<std::size_t>(worker)];
    PairSweep& sweep = sweeps[static_cast<std::size_t>(worker)];
    index.set(all, lexicon, blocks[b]);
    for (std::size_t s = blocks[b].first; s < blocks[b].last; ++s) {
      const auto source = all.source[s], target = all.target[s];
      if (!all.used(s)) {
        out.forward[s] = from_null(target, lexicon.null_forward, forward.null_probability);
        out.reverse[s] = from_null(source, lexicon.null_reverse, reverse.null_probability);
        out.missing[s] = all.source.length(s);
        continue;
      }
      sweep.run(lexicon, forward, reverse, source, target, index.places(s), nullptr, nullptr);
      out.forward[s] = sweep.forward_log_likelihood();
      out.reverse[s] = sweep.reverse_log_likelihood();
      for (std::uint32_t i = 0; i < source.size(); ++i)
        out.missing[s] += is_unlinked(sweep.reverse(i), all.target.length(s)) ? 1 : 0;
    }
  });
  return out;
}

}  // namespace tunesmith::align
