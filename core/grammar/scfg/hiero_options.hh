// Which hierarchical rules are taken from a corpus, and how they are looked for (Chiang 2007; Lopez
// 2007). Defaults are Chiang's where he has one.
#pragma once

#include "grammar/build_table.hh"
#include "grammar/scfg/scfg_rules.hh"

namespace tunesmith::grammar {

struct HieroOptions {
  // The longest span of a rule with its gaps in the corpus, in words of either side.
  int max_span = 10;
  int max_target_span = 15;
  // The longest span of the input that a rule is looked for; gaps there are as long as they like.
  int max_input_span = 15;
  // Words and non-terminals of the source side.
  int max_symbols = 5;
  int max_nonterminals = kMaxNonterminals;
  // The fewest source words of a gap, in the corpus and in the input.
  int min_gap = 1;
  // No unlinked words at the edges of a rule or of a gap.
  bool tight = true;
  // A word may be left out, if the corpus has places where it is unlinked.
  bool deletions = true;
  // Occurrences of a pattern that rules are taken from, by a fixed stride; 0: all.
  int samples = 300;
  // Occurrences of a pattern that longer ones with gaps are looked for at, by a fixed stride; 0:
  // all.
  int candidates = 20000;
  // The most frequent words, whose pairs with a gap between are looked up beforehand.
  int frequent = 100;
  CountSmoothing smoothing = CountSmoothing::kKneserNey;
};

// Spans are bytes in what is found, and packed links of a rule.
constexpr int kMaxHieroSpan = 200;
constexpr int kMaxHieroSymbols = 15;
constexpr int kMaxFrequentWords = 1000;

// Throws OptionError.
void check(const HieroOptions& options);

// How `count` things are thinned to `wanted` by a fixed stride; 0 wants all.
struct Stride {
  Stride(std::uint64_t count, std::uint64_t wanted)
      : total(count), kept(wanted == 0 || wanted > count ? count : wanted) {}
  // The number of the thing that is taken as the i-th.
  std::uint64_t operator[](std::uint64_t i) const { return kept == total ? i : i * total / kept; }
  // How many things each stands for.
  double weight() const {
    return kept == 0 ? 1.0 : static_cast<double>(total) / static_cast<double>(kept);
  }

  std::uint64_t total, kept;
};

}  // namespace tunesmith::grammar
