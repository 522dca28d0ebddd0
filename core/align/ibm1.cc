#include "align/ibm1.hh"

#include <algorithm>
#include <cmath>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

constexpr std::size_t kColumnBlocks = 8;  // of rows; each has sums for every target word
constexpr std::size_t kPairsAtOnce = 16;

// What is known of a target word while one row of the lexicon is spread out. Two arrays, because
// the first pass needs no counts and runs faster in less memory.
struct Pair {
  float forward = 0.0F, reverse = 0.0F;
};
struct CountPair {
  double forward = 0.0, reverse = 0.0;
};
struct Spread {
  explicit Spread(std::size_t words) : probability(words), count(words) {}
  std::vector<Pair> probability;
  std::vector<CountPair> count;
};

void spread_row(const Lexicon& lexicon, std::uint32_t e, std::vector<Pair>& pairs) {
  for (std::uint64_t k = lexicon.rows[e]; k < lexicon.rows[e + 1ULL]; ++k)
    pairs[lexicon.targets[k]] = {lexicon.forward[k], lexicon.reverse[k]};
}

void clear_row(const Lexicon& lexicon, std::uint32_t e, std::vector<Pair>& pairs) {
  for (std::uint64_t k = lexicon.rows[e]; k < lexicon.rows[e + 1ULL]; ++k)
    pairs[lexicon.targets[k]] = {};
}

// Step 1.
class NormaliserPass {
 public:
  NormaliserPass(const PairView& text, const Occurrences& occurrences, const Lexicon& lexicon,
                 const StepOptions& options, std::size_t first, std::size_t last)
      : text_(text),
        occurrences_(occurrences),
        lexicon_(lexicon),
        p0_(static_cast<float>(options.null_probability)),
        first_(first),
        target_begin_(text.target.offsets[block_begin(first)]),
        source_begin_(text.source.offsets[block_begin(first)]) {
    const int threads = engine::resolve_threads(options.threads);
    out_.target.resize(text.target.offsets[block_begin(last)] - target_begin_);
    out_.source.resize(text.source.offsets[block_begin(last)] - source_begin_);
    out_.likelihoods.resize(last - first);
    std::vector<std::vector<Pair>> pairs(threads, std::vector<Pair>(text.target.vocabulary));
    engine::parallel_for_worker(last - first, threads, [&](std::size_t block, int worker) {
      out_.likelihoods[block] = run(first_ + block, pairs[worker]);
    });
  }

  Normalisers take() { return std::move(out_); }

 private:
  // A word that nothing explains any more must not make the sum infinite.
  static double log_of(float z) { return std::log(std::max(static_cast<double>(z), 1e-38)); }

  std::size_t block_begin(std::size_t block) const { return text_.size() * block / kIbm1Blocks; }
  float& z_target(std::uint64_t token) { return out_.target[token - target_begin_]; }
  float& z_source(std::uint64_t token) { return out_.source[token - source_begin_]; }

  LogLikelihood run(std::size_t block, std::vector<Pair>& pairs) {
    const std::size_t first = block_begin(block), last = block_begin(block + 1);
    const TextView &source = text_.source, &target = text_.target;
    for (std::uint64_t t = target.offsets[first]; t < target.offsets[last]; ++t)
      z_target(t) = p0_ * lexicon_.null_forward[target.words[t]];
    for (std::uint32_t e = 0; e < source.vocabulary; ++e) {
      const auto begin = occurrences_.tokens.begin();
      auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e]),
                                 begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e + 1ULL]),
                                 source.offsets[first]);
      const auto end = begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e + 1ULL]);
      if (at == end || *at >= source.offsets[last]) continue;
      spread_row(lexicon_, e, pairs);
      for (; at != end && *at < source.offsets[last]; ++at) {
        const std::uint32_t s = occurrences_.sentence[*at];
        const auto words = target[s];
        float* const z = &z_target(target.offsets[s]);
        const float scale = (1.0F - p0_) / static_cast<float>(source.length(s));
        float sum = 0.0F;
        for (std::size_t j = 0; j < words.size(); ++j) {
          const Pair& pair = pairs[words[j]];
          z[j] += scale * pair.forward;
          sum += pair.reverse;
        }
        z_source(*at) =
            p0_ * lexicon_.null_reverse[e] + (1.0F - p0_) / static_cast<float>(words.size()) * sum;
      }
      clear_row(lexicon_, e, pairs);
    }
    LogLikelihood sum;
    for (std::size_t s = first; s < last; ++s) {
      if (!text_.used(s)) continue;
      for (std::uint64_t t = target.offsets[s]; t < target.offsets[s + 1]; ++t)
        sum.forward += log_of(z_target(t));
      for (std::uint64_t t = source.offsets[s]; t < source.offsets[s + 1]; ++t)
        sum.reverse += log_of(z_source(t));
    }
    return sum;
  }

  const PairView& text_;
  const Occurrences& occurrences_;
  const Lexicon& lexicon_;
  const float p0_;
  const std::size_t first_;
  const std::uint64_t target_begin_, source_begin_;  // first tokens
  Normalisers out_;
};

void null_step(const PairView& text, const TextView& side, const std::vector<float>& z,
               const StepOptions& options, std::vector<float>& null) {
  const auto p0 = static_cast<float>(options.null_probability);
  if (p0 == 0.0F) return;
  std::vector<double> counts(null.size(), 0.0);
  double total = 0.0;
  for (std::size_t s = 0; s < text.size(); ++s) {
    if (!text.used(s)) continue;
    for (std::uint64_t t = side.offsets[s]; t < side.offsets[s + 1]; ++t) {
      if (z[t] <= 0.0F) continue;
      const double count = p0 * null[side.words[t]] / z[t];
      counts[side.words[t]] += count;
      total += count;
    }
  }
  const double denominator = options.prior.total(total, static_cast<double>(counts.size()));
  for (std::size_t w = 0; w < counts.size(); ++w)
    null[w] = static_cast<float>(options.prior.weight(counts[w]) / denominator);
}

// Step 2 for one source word.
void count_row(const PairView& text, const Occurrences& occurrences, const Normalisers& normalisers,
               const StepOptions& options, std::uint32_t e, Lexicon& lexicon, Spread& words) {
  const auto p0 = static_cast<float>(options.null_probability);
  const std::uint64_t begin = lexicon.rows[e], end = lexicon.rows[e + 1ULL];
  if (begin == end) return;
  spread_row(lexicon, e, words.probability);
  for (std::uint64_t k = occurrences.rows[e]; k < occurrences.rows[e + 1ULL]; ++k) {
    const std::uint64_t token = occurrences.tokens[k];
    const std::uint32_t s = occurrences.sentence[token];
    const auto sentence = text.target[s];
    const float* const z = normalisers.target.data() + text.target.offsets[s];
    if (normalisers.source[token] <= 0.0F) continue;
    const float forward_scale = (1.0F - p0) / static_cast<float>(text.source.length(s));
    const float reverse_scale =
        (1.0F - p0) / static_cast<float>(sentence.size()) / normalisers.source[token];
    for (std::size_t j = 0; j < sentence.size(); ++j) {
      if (z[j] <= 0.0F) continue;
      const Pair& pair = words.probability[sentence[j]];
      CountPair& count = words.count[sentence[j]];
      const float forward = pair.forward * forward_scale / z[j];
      const float reverse = pair.reverse * reverse_scale;
      count.forward += options.agreement ? forward * reverse : forward;
      count.reverse += reverse;
    }
  }
  double total = 0.0;
  for (std::uint64_t k = begin; k < end; ++k) total += words.count[lexicon.targets[k]].forward;
  const double denominator = options.prior.total(total, static_cast<double>(end - begin));
  for (std::uint64_t k = begin; k < end; ++k) {
    const CountPair& count = words.count[lexicon.targets[k]];
    lexicon.forward[k] = denominator > 0.0
                             ? static_cast<float>(options.prior.weight(count.forward) / denominator)
                             : 0.0F;
    lexicon.reverse[k] = static_cast<float>(options.agreement ? count.forward : count.reverse);
  }
  for (std::uint64_t k = begin; k < end; ++k) words.count[lexicon.targets[k]] = {};
  clear_row(lexicon, e, words.probability);
}

// Step 3.
void normalise_columns(const PairView& text, const StepOptions& options, Lexicon& lexicon) {
  const int threads = engine::resolve_threads(options.threads);
  const std::size_t words = text.target.vocabulary;
  std::vector<std::vector<double>> totals(kColumnBlocks);
  std::vector<std::vector<std::uint32_t>> sizes(kColumnBlocks);
  const auto block_row = [&](std::size_t block) {
    return lexicon.rows[static_cast<std::size_t>(text.source.vocabulary) * block / kColumnBlocks];
  };
  engine::parallel_for(kColumnBlocks, threads, [&](std::size_t block) {
    totals[block].assign(words, 0.0);
    sizes[block].assign(words, 0);
    for (std::uint64_t k = block_row(block); k < block_row(block + 1); ++k) {
      totals[block][lexicon.targets[k]] += lexicon.reverse[k];
      ++sizes[block][lexicon.targets[k]];
    }
  });
  std::vector<double> factor(words, 0.0);
  for (std::size_t f = 0; f < words; ++f) {
    double total = 0.0, size = 0.0;
    for (std::size_t block = 0; block < kColumnBlocks; ++block) {
      total += totals[block][f];
      size += sizes[block][f];
    }
    const double denominator = options.prior.total(total, size);
    if (size > 0.0 && denominator > 0.0) factor[f] = 1.0 / denominator;
  }
  engine::parallel_for(kColumnBlocks, threads, [&](std::size_t block) {
    for (std::uint64_t k = block_row(block); k < block_row(block + 1); ++k)
      lexicon.reverse[k] =
          static_cast<float>(options.prior.weight(lexicon.reverse[k]) * factor[lexicon.targets[k]]);
  });
}

}  // namespace

Normalisers ibm1_normalisers(const PairView& text, const Occurrences& occurrences,
                             const Lexicon& lexicon, const StepOptions& options, std::size_t first,
                             std::size_t last) {
  if (first > last || last > kIbm1Blocks) throw OptionError("blocks that the text does not have");
  return NormaliserPass(text, occurrences, lexicon, options, first, last).take();
}

Normalisers joined(std::vector<Normalisers> shards) {
  if (shards.empty()) throw OptionError("no normalisers");
  Normalisers all = std::move(shards[0]);
  for (std::size_t i = 1; i < shards.size(); ++i) {
    const Normalisers& next = shards[i];
    all.target.insert(all.target.end(), next.target.begin(), next.target.end());
    all.source.insert(all.source.end(), next.source.begin(), next.source.end());
    all.likelihoods.insert(all.likelihoods.end(), next.likelihoods.begin(), next.likelihoods.end());
    shards[i] = {};
  }
  return all;
}

void ibm1_rows(const PairView& text, const Occurrences& occurrences, const Normalisers& z,
               const StepOptions& options, std::uint32_t first, std::uint32_t last,
               Lexicon& lexicon) {
  if (first > last || last > text.source.vocabulary || z.target.size() != text.target.words.size())
    throw OptionError("words or normalisers that the text does not have");
  const int threads = engine::resolve_threads(options.threads);
  std::vector<Spread> spreads(threads, Spread(text.target.vocabulary));
  engine::parallel_for_worker(
      last - first, threads,
      [&](std::size_t i, int worker) {
        count_row(text, occurrences, z, options, first + static_cast<std::uint32_t>(i), lexicon,
                  spreads[worker]);
      },
      kPairsAtOnce);
}

LogLikelihood ibm1_finish(const PairView& text, const Normalisers& z, const StepOptions& options,
                          Lexicon& lexicon) {
  null_step(text, text.target, z.target, options, lexicon.null_forward);
  null_step(text, text.source, z.source, options, lexicon.null_reverse);
  normalise_columns(text, options, lexicon);
  LogLikelihood sum;
  for (const LogLikelihood& part : z.likelihoods) {
    sum.forward += part.forward;
    sum.reverse += part.reverse;
  }
  return sum;
}

}  // namespace tunesmith::align
