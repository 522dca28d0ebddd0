// Dense features that are neither scores of a table nor of a model: their names, and what they are.
// A new one is a line of the enum, its name, and a line in one of the three functions; search,
// lists, graphs, forced decoding and learning count it then (HACKING.md has an example).
#pragma once

#include <array>
#include <cstdlib>
#include <string_view>

#include "decode/phrase_rule.hh"

namespace tunesmith::decode {

enum PlainFeature { kDistortion, kWordPenalty, kPhrasePenalty, kUnknownWords, kPlainFeatures };

constexpr std::array<std::string_view, kPlainFeatures> kPlainNames = {"distortion", "word_penalty",
                                                                      "phrase_penalty", "unknown"};

// All three call visit(feature, value); values are whole numbers.

// What a phrase is worth whatever rule translates it: no reason to prefer one rule of its source
// words to another.
template <typename Visit>
void visit_phrase(const PhraseRule& /*rule*/, const Visit& visit) {
  visit(kPhrasePenalty, 1);
}

// What tells the rules of a source phrase from each other.
template <typename Visit>
void visit_words(const PhraseRule& rule, const Visit& visit) {
  visit(kWordPenalty, -rule.target_size);
  if (rule.unknown != 0) visit(kUnknownWords, -rule.unknown);
}

// What the source words [begin, end) are worth behind a phrase that ends at `last_end`.
template <typename Visit>
void visit_jump(int last_end, int begin, int /*end*/, const Visit& visit) {
  visit(kDistortion, -std::abs(begin - last_end));
}

}  // namespace tunesmith::decode
