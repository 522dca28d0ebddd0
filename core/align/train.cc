#include "align/train.hh"

#include <atomic>

#include "align/pair_sweep.hh"
#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

constexpr float kUnit = 4294967296.0F;  // 2^32
// Smaller posteriors are not worth a write to memory.
constexpr float kSmallest = 1e-6F;

using Counts = std::vector<std::uint64_t>;

void add(Counts& counts, std::size_t index, float value) {
  std::atomic_ref<std::uint64_t>(counts[index])
      .fetch_add(static_cast<std::uint64_t>(value * kUnit), std::memory_order_relaxed);
}

double value_of(std::uint64_t count) { return static_cast<double>(count) / kUnit; }

// Adds what a pair's posteriors say.
void collect(const PairSweep& sweep, std::span<const std::uint32_t> source,
             std::span<const std::uint32_t> target, const std::uint32_t* places, bool agreement,
             ExpectedCounts& counts) {
  const auto n = static_cast<std::uint32_t>(source.size());
  const auto m = static_cast<std::uint32_t>(target.size());
  for (std::uint32_t i = 0; i < n; ++i) {
    const float* const reverse = sweep.reverse(i);
    for (std::uint32_t j = 0; j < m; ++j) {
      const std::uint32_t place = places[static_cast<std::size_t>(i) * m + j];
      if (place == 0) continue;
      const float p = sweep.forward(j)[i], q = reverse[j];
      if (agreement) {
        if (p * q > kSmallest) add(counts.forward, place - 1, p * q);
      } else {
        if (p > kSmallest) add(counts.forward, place - 1, p);
        if (q > kSmallest) add(counts.reverse, place - 1, q);
      }
    }
    const float null = 1.0F - lane_sum(reverse, padded(m));
    if (null > kSmallest) add(counts.null_reverse, source[i], null);
  }
  for (std::uint32_t j = 0; j < m; ++j) {
    const float null = 1.0F - lane_sum(sweep.forward(j), padded(n));
    if (null > kSmallest) add(counts.null_forward, target[j], null);
  }
}

void maximise_null(const Counts& counts, const Prior& prior, std::vector<float>& null) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : counts) total += count;
  const double denominator = prior.total(value_of(total), static_cast<double>(counts.size()));
  if (!(denominator > 0.0)) return;
  for (std::size_t w = 0; w < counts.size(); ++w)
    null[w] = static_cast<float>(prior.weight(value_of(counts[w])) / denominator);
}

void maximise_lexicon(const ExpectedCounts& counts, const Prior& prior, Lexicon& lexicon) {
  const Counts& forward = counts.forward;
  const Counts& reverse = counts.reverse.empty() ? counts.forward : counts.reverse;
  std::vector<std::uint64_t> totals(lexicon.target_words());
  std::vector<std::uint32_t> sizes(lexicon.target_words());
  for (std::size_t k = 0; k < lexicon.pairs(); ++k) {
    totals[lexicon.targets[k]] += reverse[k];
    ++sizes[lexicon.targets[k]];
  }
  std::vector<double> denominators(lexicon.target_words());
  for (std::size_t f = 0; f < totals.size(); ++f)
    denominators[f] = prior.total(value_of(totals[f]), sizes[f]);
  for (std::size_t e = 0; e < lexicon.source_words(); ++e) {
    const std::uint64_t begin = lexicon.rows[e], end = lexicon.rows[e + 1];
    std::uint64_t total = 0;
    for (std::uint64_t k = begin; k < end; ++k) total += forward[k];
    const double denominator = prior.total(value_of(total), static_cast<double>(end - begin));
    for (std::uint64_t k = begin; k < end; ++k) {
      const double column = denominators[lexicon.targets[k]];
      lexicon.forward[k] =
          denominator > 0.0 ? static_cast<float>(prior.weight(value_of(forward[k])) / denominator)
                            : 0.0F;
      lexicon.reverse[k] =
          column > 0.0 ? static_cast<float>(prior.weight(value_of(reverse[k])) / column) : 0.0F;
    }
  }
  maximise_null(counts.null_forward, prior, lexicon.null_forward);
  maximise_null(counts.null_reverse, prior, lexicon.null_reverse);
}

void maximise_direction(const DirectionCounts& counts, Direction& direction) {
  if (direction.positions == Positions::kJumps) update(direction.jumps, counts.jumps);
  if (direction.positions == Positions::kDiagonal)
    direction.tension = best_tension(counts.diagonal);
}

void add_counts(Counts& sums, const Counts& counts) {
  if (sums.size() != counts.size()) throw OptionError("counts of another lexicon");
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += counts[i];
}

}  // namespace

ExpectedCounts expect(const PairView& text, const Lexicon& lexicon, const Direction& forward,
                      const Direction& reverse, const StepOptions& options, std::size_t first,
                      std::size_t last) {
  const int threads = engine::resolve_threads(options.threads);
  const std::vector<Block> blocks = cut_into_blocks(text);
  if (first > last || last > blocks.size()) throw OptionError("blocks that the text does not have");
  ExpectedCounts counts;
  counts.forward.resize(lexicon.pairs());
  counts.reverse.resize(options.agreement ? 0 : lexicon.pairs());
  counts.null_forward.resize(lexicon.target_words());
  counts.null_reverse.resize(lexicon.source_words());
  counts.blocks.assign(
      last - first,
      BlockCounts{{}, DirectionCounts(forward.jumps.reach), DirectionCounts(reverse.jumps.reach)});
  std::vector<BlockIndex> indices(threads);
  std::vector<PairSweep> sweeps(threads);
  engine::parallel_for_worker(last - first, threads, [&](std::size_t b, int worker) {
    BlockCounts& part = counts.blocks[b];
    const Block& block = blocks[first + b];
    PairSweep& sweep = sweeps[worker];
    indices[worker].set(text, lexicon.view(), block);
    for (std::size_t s = block.first; s < block.last; ++s) {
      if (!text.used(s)) continue;
      const auto source = text.source[s], target = text.target[s];
      const std::uint32_t* const places = indices[worker].places(s);
      sweep.run(lexicon.view(), forward, reverse, source, target, places, &part.forward,
                &part.reverse);
      part.likelihood.forward += sweep.forward_log_likelihood();
      part.likelihood.reverse += sweep.reverse_log_likelihood();
      collect(sweep, source, target, places, options.agreement, counts);
    }
  });
  return counts;
}

LogLikelihood maximise(std::vector<ExpectedCounts> shards, const StepOptions& options,
                       Lexicon& lexicon, Direction& forward, Direction& reverse) {
  if (shards.empty()) throw OptionError("no counts");
  BlockCounts sum{{}, DirectionCounts(forward.jumps.reach), DirectionCounts(reverse.jumps.reach)};
  ExpectedCounts& counts = shards[0];
  if (counts.forward.size() != lexicon.pairs()) throw OptionError("counts of another lexicon");
  for (ExpectedCounts& shard : shards) {
    for (const BlockCounts& block : shard.blocks) {
      sum.likelihood.forward += block.likelihood.forward;
      sum.likelihood.reverse += block.likelihood.reverse;
      sum.forward.add(block.forward);
      sum.reverse.add(block.reverse);
    }
    if (&shard == &counts) continue;
    add_counts(counts.forward, shard.forward);
    add_counts(counts.reverse, shard.reverse);
    add_counts(counts.null_forward, shard.null_forward);
    add_counts(counts.null_reverse, shard.null_reverse);
    shard = {};
  }
  maximise_lexicon(counts, options.prior, lexicon);
  maximise_direction(sum.forward, forward);
  maximise_direction(sum.reverse, reverse);
  return sum.likelihood;
}

}  // namespace tunesmith::align
