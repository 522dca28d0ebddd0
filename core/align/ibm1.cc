#include "align/ibm1.hh"

#include <algorithm>
#include <cmath>

#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

constexpr std::size_t kBlocks = 32;       // of sentences
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

class Step {
 public:
  Step(const PairView& text, const Occurrences& occurrences, Lexicon& lexicon,
       const StepOptions& options)
      : text_(text),
        occurrences_(occurrences),
        lexicon_(lexicon),
        options_(options),
        threads_(engine::resolve_threads(options.threads)),
        p0_(static_cast<float>(options.null_probability)),
        spreads_(threads_, Spread(text.target.vocabulary)),
        z_target_(text.target.words.size()),
        z_source_(text.source.words.size()) {}

  LogLikelihood run() {
    const LogLikelihood likelihood = normalisers();
    nulls();
    rows();
    columns();
    return likelihood;
  }

 private:
  // A word that nothing explains any more must not make the sum infinite.
  static double log_of(float z) { return std::log(std::max(static_cast<double>(z), 1e-38)); }

  std::size_t block_begin(std::size_t block) const { return text_.size() * block / kBlocks; }

  LogLikelihood normalisers() {
    std::vector<LogLikelihood> likelihoods(kBlocks);
    engine::parallel_for_worker(kBlocks, threads_, [&](std::size_t block, int worker) {
      likelihoods[block] = block_normalisers(block, spreads_[worker].probability);
    });
    LogLikelihood sum;
    for (const LogLikelihood& part : likelihoods) {
      sum.forward += part.forward;
      sum.reverse += part.reverse;
    }
    return sum;
  }

  LogLikelihood block_normalisers(std::size_t block, std::vector<Pair>& pairs) {
    const std::size_t first = block_begin(block), last = block_begin(block + 1);
    const TextView &source = text_.source, &target = text_.target;
    for (std::uint64_t t = target.offsets[first]; t < target.offsets[last]; ++t)
      z_target_[t] = p0_ * lexicon_.null_forward[target.words[t]];
    for (std::uint32_t e = 0; e < source.vocabulary; ++e) {
      const auto begin = occurrences_.tokens.begin();
      auto at = std::lower_bound(begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e]),
                                 begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e + 1ULL]),
                                 source.offsets[first]);
      const auto end = begin + static_cast<std::ptrdiff_t>(occurrences_.rows[e + 1ULL]);
      if (at == end || *at >= source.offsets[last]) continue;
      spread(e, pairs);
      for (; at != end && *at < source.offsets[last]; ++at) {
        const std::uint32_t s = occurrences_.sentence[*at];
        const auto words = target[s];
        float* const z = z_target_.data() + target.offsets[s];
        const float scale = (1.0F - p0_) / static_cast<float>(source.length(s));
        float sum = 0.0F;
        for (std::size_t j = 0; j < words.size(); ++j) {
          const Pair& pair = pairs[words[j]];
          z[j] += scale * pair.forward;
          sum += pair.reverse;
        }
        z_source_[*at] =
            p0_ * lexicon_.null_reverse[e] + (1.0F - p0_) / static_cast<float>(words.size()) * sum;
      }
      clear(e, pairs);
    }
    LogLikelihood sum;
    for (std::size_t s = first; s < last; ++s) {
      if (!text_.used(s)) continue;
      for (std::uint64_t t = target.offsets[s]; t < target.offsets[s + 1]; ++t)
        sum.forward += log_of(z_target_[t]);
      for (std::uint64_t t = source.offsets[s]; t < source.offsets[s + 1]; ++t)
        sum.reverse += log_of(z_source_[t]);
    }
    return sum;
  }

  void nulls() {
    null_step(text_.target, z_target_, lexicon_.null_forward);
    null_step(text_.source, z_source_, lexicon_.null_reverse);
  }

  void null_step(const TextView& side, const std::vector<float>& z, std::vector<float>& null) {
    if (p0_ == 0.0F) return;
    std::vector<double> counts(null.size(), 0.0);
    double total = 0.0;
    for (std::size_t s = 0; s < text_.size(); ++s) {
      if (!text_.used(s)) continue;
      for (std::uint64_t t = side.offsets[s]; t < side.offsets[s + 1]; ++t) {
        if (z[t] <= 0.0F) continue;
        const double count = p0_ * null[side.words[t]] / z[t];
        counts[side.words[t]] += count;
        total += count;
      }
    }
    const double denominator = options_.prior.total(total, static_cast<double>(counts.size()));
    for (std::size_t w = 0; w < counts.size(); ++w)
      null[w] = static_cast<float>(options_.prior.weight(counts[w]) / denominator);
  }

  // After this `forward` holds new probabilities, `reverse` still counts.
  void rows() {
    engine::parallel_for_worker(
        text_.source.vocabulary, threads_,
        [&](std::size_t e, int worker) { row(static_cast<std::uint32_t>(e), spreads_[worker]); },
        kPairsAtOnce);
  }

  void row(std::uint32_t e, Spread& words) {
    const std::uint64_t begin = lexicon_.rows[e], end = lexicon_.rows[e + 1ULL];
    if (begin == end) return;
    spread(e, words.probability);
    for (std::uint64_t k = occurrences_.rows[e]; k < occurrences_.rows[e + 1ULL]; ++k) {
      const std::uint64_t token = occurrences_.tokens[k];
      const std::uint32_t s = occurrences_.sentence[token];
      const auto sentence = text_.target[s];
      const float* const z = z_target_.data() + text_.target.offsets[s];
      if (z_source_[token] <= 0.0F) continue;
      const float forward_scale = (1.0F - p0_) / static_cast<float>(text_.source.length(s));
      const float reverse_scale =
          (1.0F - p0_) / static_cast<float>(sentence.size()) / z_source_[token];
      for (std::size_t j = 0; j < sentence.size(); ++j) {
        if (z[j] <= 0.0F) continue;
        const Pair& pair = words.probability[sentence[j]];
        CountPair& count = words.count[sentence[j]];
        const float forward = pair.forward * forward_scale / z[j];
        const float reverse = pair.reverse * reverse_scale;
        count.forward += options_.agreement ? forward * reverse : forward;
        count.reverse += reverse;
      }
    }
    double total = 0.0;
    for (std::uint64_t k = begin; k < end; ++k) total += words.count[lexicon_.targets[k]].forward;
    const double denominator = options_.prior.total(total, static_cast<double>(end - begin));
    for (std::uint64_t k = begin; k < end; ++k) {
      const CountPair& count = words.count[lexicon_.targets[k]];
      lexicon_.forward[k] =
          denominator > 0.0 ? static_cast<float>(options_.prior.weight(count.forward) / denominator)
                            : 0.0F;
      lexicon_.reverse[k] = static_cast<float>(options_.agreement ? count.forward : count.reverse);
    }
    for (std::uint64_t k = begin; k < end; ++k) words.count[lexicon_.targets[k]] = {};
    clear(e, words.probability);
  }

  void columns() {
    const std::size_t words = text_.target.vocabulary;
    std::vector<std::vector<double>> totals(kColumnBlocks);
    std::vector<std::vector<std::uint32_t>> sizes(kColumnBlocks);
    const auto block_row = [&](std::size_t block) {
      return lexicon_
          .rows[static_cast<std::size_t>(text_.source.vocabulary) * block / kColumnBlocks];
    };
    engine::parallel_for(kColumnBlocks, threads_, [&](std::size_t block) {
      totals[block].assign(words, 0.0);
      sizes[block].assign(words, 0);
      for (std::uint64_t k = block_row(block); k < block_row(block + 1); ++k) {
        totals[block][lexicon_.targets[k]] += lexicon_.reverse[k];
        ++sizes[block][lexicon_.targets[k]];
      }
    });
    std::vector<double> factor(words, 0.0);
    for (std::size_t f = 0; f < words; ++f) {
      double total = 0.0, size = 0.0;
      for (std::size_t block = 0; block < kColumnBlocks; ++block) {
        total += totals[block][f];
        size += sizes[block][f];
      }
      const double denominator = options_.prior.total(total, size);
      if (size > 0.0 && denominator > 0.0) factor[f] = 1.0 / denominator;
    }
    engine::parallel_for(kColumnBlocks, threads_, [&](std::size_t block) {
      for (std::uint64_t k = block_row(block); k < block_row(block + 1); ++k)
        lexicon_.reverse[k] = static_cast<float>(options_.prior.weight(lexicon_.reverse[k]) *
                                                 factor[lexicon_.targets[k]]);
    });
  }

  void spread(std::uint32_t e, std::vector<Pair>& pairs) const {
    for (std::uint64_t k = lexicon_.rows[e]; k < lexicon_.rows[e + 1ULL]; ++k)
      pairs[lexicon_.targets[k]] = {lexicon_.forward[k], lexicon_.reverse[k]};
  }
  void clear(std::uint32_t e, std::vector<Pair>& pairs) const {
    for (std::uint64_t k = lexicon_.rows[e]; k < lexicon_.rows[e + 1ULL]; ++k)
      pairs[lexicon_.targets[k]] = {};
  }

  const PairView& text_;
  const Occurrences& occurrences_;
  Lexicon& lexicon_;
  const StepOptions& options_;
  const int threads_;
  const float p0_;
  std::vector<Spread> spreads_;             // per thread, indexed by target word
  std::vector<float> z_target_, z_source_;  // per token
};

}  // namespace

LogLikelihood ibm1_step(const PairView& text, const Occurrences& occurrences, Lexicon& lexicon,
                        const StepOptions& options) {
  return Step(text, occurrences, lexicon, options).run();
}

}  // namespace tunesmith::align
