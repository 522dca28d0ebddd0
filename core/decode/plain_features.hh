// Dense features that are neither scores of a table nor of a model: their names, and what they are.
// A new one is a line of an enum, its name, and a line in one of the functions; search, lists,
// graphs, forced decoding and learning count it then (HACKING.md has an example).
#pragma once

#include <array>
#include <cstdlib>
#include <string_view>

#include "decode/phrase_rule.hh"

namespace tunesmith::decode {

enum PlainFeature { kDistortion, kWordPenalty, kPhrasePenalty, kUnknownWords, kPlainFeatures };

constexpr std::array<std::string_view, kPlainFeatures> kPlainNames = {"distortion", "word_penalty",
                                                                      "phrase_penalty", "unknown"};

// Those of charts. Words count as they do in phrases.
enum ChartFeature { kGlueRules, kPassedThrough, kChartWords, kChartFeatures };

constexpr std::array<std::string_view, kChartFeatures> kChartNames = {
    "glue", kPlainNames[kUnknownWords], kPlainNames[kWordPenalty]};

constexpr int word_penalty(int words) { return -words; }
constexpr int unknown_penalty(int words) { return -words; }

// All functions below call visit(feature, value); values are whole numbers.

// What a phrase is worth whatever rule translates it: no reason to prefer one rule of its source
// words to another.
template <typename Visit>
void visit_phrase(const PhraseRule& /*rule*/, const Visit& visit) {
  visit(kPhrasePenalty, 1);
}

// What tells the rules of a source phrase from each other.
template <typename Visit>
void visit_words(const PhraseRule& rule, const Visit& visit) {
  visit(kWordPenalty, word_penalty(rule.target_size));
  if (rule.unknown != 0) visit(kUnknownWords, unknown_penalty(rule.unknown));
}

// What the source words [begin, end) are worth behind a phrase that ends at `last_end`.
template <typename Visit>
void visit_jump(int last_end, int begin, int /*end*/, const Visit& visit) {
  visit(kDistortion, -std::abs(begin - last_end));
}

// What a rule of a chart is worth by itself: whether it glues two parts together, how many words
// it passes through, and how many it makes.
template <typename Visit>
void visit_chart_rule(bool glues, int passed_through, int words, const Visit& visit) {
  if (glues) visit(kGlueRules, 1);
  if (passed_through != 0) visit(kPassedThrough, unknown_penalty(passed_through));
  visit(kChartWords, word_penalty(words));
}

}  // namespace tunesmith::decode
