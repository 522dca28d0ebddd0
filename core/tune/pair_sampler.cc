#include "tune/pair_sampler.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.hh"
#include "engine/parallel.hh"

namespace tunesmith::tune {

namespace {

struct Candidate {
  Pair pair;
  double difference;
};

bool accepted(double difference, const PairSampling& options, Random& random) {
  if (options.acceptance == PairSampling::Acceptance::kThreshold)
    return difference > 0.0 && difference >= options.threshold;
  return random.uniform() < std::tanh(difference / options.softness / 2.0);  // = 2 σ(x) − 1
}

// The `keep` greatest differences, in the order of drawing; of equals the first drawn.
void keep_greatest(std::vector<Candidate>& drawn, std::size_t keep) {
  if (drawn.size() <= keep) return;
  std::vector<std::size_t> order(drawn.size());
  std::iota(order.begin(), order.end(), 0);
  std::nth_element(order.begin(), order.begin() + keep, order.end(),
                   [&](std::size_t a, std::size_t b) {
                     return drawn[a].difference != drawn[b].difference
                                ? drawn[a].difference > drawn[b].difference
                                : a < b;
                   });
  order.resize(keep);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < keep; ++i) drawn[i] = drawn[order[i]];
  drawn.resize(keep);
}

}  // namespace

std::vector<Pair> sample_pairs(const PoolView& pool, std::span<const double> gains,
                               const PairSampling& options, std::uint64_t seed, int threads) {
  std::vector<std::vector<Pair>> of_sentence(pool.sentences());
  engine::parallel_for(
      of_sentence.size(), threads,
      [&](std::size_t s) {
        Random random(seed, s);
        const std::int64_t begin = pool.offsets[s];
        const auto size = static_cast<std::uint64_t>(pool.offsets[s + 1] - begin);
        std::vector<Candidate> drawn;
        for (int i = 0; i < options.candidates; ++i) {
          const auto a = static_cast<std::int64_t>(begin + random.below(size));
          const auto b = static_cast<std::int64_t>(begin + random.below(size));
          const double difference = gains[a] - gains[b];
          if (accepted(std::abs(difference), options, random))
            drawn.push_back({difference > 0.0 ? Pair{a, b} : Pair{b, a}, std::abs(difference)});
        }
        keep_greatest(drawn, options.keep);
        of_sentence[s].reserve(drawn.size());
        for (const Candidate& candidate : drawn) of_sentence[s].push_back(candidate.pair);
      },
      8);
  std::vector<Pair> pairs;
  for (const auto& some : of_sentence) pairs.insert(pairs.end(), some.begin(), some.end());
  return pairs;
}

}  // namespace tunesmith::tune
