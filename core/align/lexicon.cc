#include "align/lexicon.hh"

#include <algorithm>

#include "engine/parallel.hh"

namespace tunesmith::align {
namespace {

// Words that a thread takes at a time: rows differ a thousandfold in size.
constexpr std::size_t kRowsAtOnce = 16;

// Calls visit(f) once for every distinct target word that occurs with source word e.
class Neighbours {
 public:
  Neighbours(const PairView& text, const Occurrences& occurrences)
      : text_(text), occurrences_(occurrences), seen_(text.target.vocabulary, kUnknownWord) {}

  template <typename Visit>
  void each(std::uint32_t e, Visit visit) {
    std::uint32_t last = kUnknownWord;
    for (std::uint64_t k = occurrences_.rows[e]; k < occurrences_.rows[e + 1]; ++k) {
      const std::uint32_t s = occurrences_.sentence[occurrences_.tokens[k]];
      if (s == last) continue;
      last = s;
      for (const std::uint32_t f : text_.target[s]) {
        if (seen_[f] == e) continue;
        seen_[f] = e;
        visit(f);
      }
    }
  }

 private:
  const PairView& text_;
  const Occurrences& occurrences_;
  std::vector<std::uint32_t> seen_;  // per target word the last source word that met it
};

// One scratch object per thread.
std::vector<Neighbours> scratch(const PairView& text, const Occurrences& occurrences, int threads) {
  return std::vector<Neighbours>(engine::resolve_threads(threads), Neighbours(text, occurrences));
}

}  // namespace

Occurrences find_occurrences(const PairView& text) {
  Occurrences out;
  out.rows.assign(text.source.vocabulary + 1ULL, 0);
  out.sentence.assign(text.source.words.size(), 0);
  for (std::size_t s = 0; s < text.size(); ++s) {
    for (std::uint64_t t = text.source.offsets[s]; t < text.source.offsets[s + 1]; ++t)
      out.sentence[t] = static_cast<std::uint32_t>(s);
    if (!text.used(s)) continue;
    for (const std::uint32_t e : text.source[s]) ++out.rows[e + 1ULL];
  }
  for (std::size_t e = 1; e < out.rows.size(); ++e) out.rows[e] += out.rows[e - 1];
  out.tokens.resize(out.rows.back());
  std::vector<std::uint64_t> next(out.rows.begin(), out.rows.end() - 1);
  for (std::size_t s = 0; s < text.size(); ++s) {
    if (!text.used(s)) continue;
    for (std::uint64_t t = text.source.offsets[s]; t < text.source.offsets[s + 1]; ++t)
      out.tokens[next[text.source.words[t]]++] = t;
  }
  return out;
}

std::vector<std::uint64_t> count_pairs(const PairView& text, const Occurrences& occurrences,
                                       int threads) {
  std::vector<std::uint64_t> counts(text.source.vocabulary, 0);
  auto workers = scratch(text, occurrences, threads);
  engine::parallel_for_worker(
      counts.size(), threads,
      [&](std::size_t e, int worker) {
        std::uint64_t count = 0;
        workers[worker].each(static_cast<std::uint32_t>(e), [&](std::uint32_t) { ++count; });
        counts[e] = count;
      },
      kRowsAtOnce);
  return counts;
}

Lexicon make_lexicon(const PairView& text, const Occurrences& occurrences,
                     std::span<const std::uint64_t> pair_counts, int threads) {
  Lexicon out;
  out.rows.assign(1, 0);
  for (const std::uint64_t count : pair_counts) out.rows.push_back(out.rows.back() + count);
  out.targets.resize(out.rows.back());
  auto workers = scratch(text, occurrences, threads);
  engine::parallel_for_worker(
      pair_counts.size(), threads,
      [&](std::size_t e, int worker) {
        std::uint32_t* const begin = out.targets.data() + out.rows[e];
        std::uint32_t* end = begin;
        workers[worker].each(static_cast<std::uint32_t>(e), [&](std::uint32_t f) { *end++ = f; });
        std::sort(begin, end);
      },
      kRowsAtOnce);
  const float forward = 1.0F / static_cast<float>(std::max(1U, text.target.vocabulary));
  const float reverse = 1.0F / static_cast<float>(std::max(1U, text.source.vocabulary));
  out.forward.assign(out.targets.size(), forward);
  out.reverse.assign(out.targets.size(), reverse);
  out.null_forward.assign(text.target.vocabulary, forward);
  out.null_reverse.assign(text.source.vocabulary, reverse);
  return out;
}

void prune(Lexicon& lexicon, float threshold) {
  std::uint64_t kept = 0, k = 0;
  for (std::size_t e = 0; e + 1 < lexicon.rows.size(); ++e) {
    const std::uint64_t end = lexicon.rows[e + 1];
    for (; k < end; ++k) {
      if (lexicon.forward[k] < threshold && lexicon.reverse[k] < threshold) continue;
      lexicon.targets[kept] = lexicon.targets[k];
      lexicon.forward[kept] = lexicon.forward[k];
      lexicon.reverse[kept] = lexicon.reverse[k];
      ++kept;
    }
    lexicon.rows[e + 1] = kept;
  }
  const auto shrink = [&](auto& values) {
    values.resize(kept);
    values.shrink_to_fit();
  };
  shrink(lexicon.targets);
  shrink(lexicon.forward);
  shrink(lexicon.reverse);
}

}  // namespace tunesmith::align
