// Interpolated modified Kneser–Ney smoothing (Chen & Goodman 1998), as in Heafield, Pouzyrevsky,
// Clark & Koehn (2013), whose program lmplz gives the same models.
//
//   a(g)    adjusted count of an n-gram: occurrences for the highest order and for n-grams that
//           start with <s>; otherwise the number of distinct words seen to its left
//   D_k     discount of adjusted count k = 1, 2, 3+ of an order, from the numbers t_k of n-grams
//           with a(g) = k:  Y = t_1 / (t_1 + 2 t_2),  D_k = k − (k + 1) Y t_{k+1} / t_k
//   γ(c)    back-off weight of context c:  Σ_k D_k |{w : a(cw) = k}| / Σ_w a(cw)
//   p(w|c)  = (a(cw) − D_{a(cw)}) / Σ_x a(cx) + γ(c) p(w|c'),  c' = c without its first word;
//           below the unigrams stands 1 / |V|, V without <s> and with <unk>, whose count is 0
//
// Pruning: n-grams that occur at most `prune[n − 1]` times, or have a word outside the allowed
// vocabulary, are dropped after the counts of counts are taken. What they would have got goes to
// the back-off weight of their context.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "lm/corpus.hh"

namespace tunesmith::lm {

struct Discounts {
  std::array<float, 4> amount{};  // by adjusted count; 3 stands for 3 and more
  // Whether they are the fallback because the counts of counts gave none.
  bool fallback = false;
  float operator[](std::uint64_t count) const { return amount[count < 3 ? count : 3]; }
};

// What is taken where the formula fails: a zero among t_1 … t_3, or D_k outside [0, k].
constexpr std::array<float, 4> kFallbackDiscounts{0.0f, 0.5f, 1.0f, 1.5f};

// `t`: how many n-grams have adjusted count 1, 2, 3, 4 (at index k).
Discounts discounts_from(const std::array<std::uint64_t, 5>& t);

struct EstimateOptions {
  int order = 5;
  // By order, non-decreasing, the last value for all longer ones; empty: nothing is pruned.
  std::vector<std::uint64_t> prune;
  // Words that may stay, all if empty; and how many may stay, the most frequent ones (of equal ones
  // the first), 0: any number.
  std::vector<std::string> vocabulary;
  std::uint64_t max_words = 0;
  int threads = 1;
  // Bytes; above this, sorting in temporary files takes over. 0: no limit.
  std::uint64_t memory = 0;
  // Where temporary files go.
  std::string temporary_folder;
  std::uint64_t threshold(int order) const {
    return prune.empty() ? 0 : prune[std::min<std::size_t>(order - 1, prune.size() - 1)];
  }
};

// One flag per word, whether the options let it stay; empty if all do.
std::vector<bool> allowed_words(Corpus& corpus, const EstimateOptions& options);

// The formulas above, shared by the way in memory and the way through files.
struct ContextSums {
  std::uint64_t total = 0;
  std::uint64_t with[4] = {};  // [k]: continuations with adjusted count k; [0]: pruned mass
  void add(std::uint64_t adjusted, bool pruned) {
    total += adjusted;
    if (pruned)
      with[0] += adjusted;
    else
      ++with[adjusted < 3 ? adjusted : 3];
  }
  float gamma(const Discounts& discounts) const {
    double mass = static_cast<double>(with[0]);
    for (int k = 1; k <= 3; ++k) mass += static_cast<double>(discounts.amount[k]) * with[k];
    return static_cast<float>(mass / static_cast<double>(total));
  }
};
inline float interpolate(std::uint64_t adjusted, const Discounts& discounts, std::uint64_t total,
                         float gamma, float lower) {
  const double own = (static_cast<double>(adjusted) - discounts[adjusted]) / total;
  return static_cast<float>(own + static_cast<double>(gamma) * lower);
}
float log10_of(float probability);
float backoff_log10(float gamma);

}  // namespace tunesmith::lm
