// Lexical translation probabilities from word links, and the lexical weight of a phrase pair
// (Koehn, Och & Marcu 2003, Eq. 4): w(e|f) = count(e, f) / count(f), with NULL for unlinked words.
#pragma once

#include <cstdint>
#include <vector>

#include "grammar/aligned_corpus.hh"

namespace tunesmith::grammar {

// Probabilities are kept per link of the corpus and per word, so that weighing a phrase pair where
// it stands needs no look-up by word pair.
struct Lexicon {
  std::vector<float> target_given_source, source_given_target;  // [links]
  std::vector<float> target_given_null, source_given_null;      // [words]

  Lexicon(const AlignedCorpus& corpus, std::size_t source_words, std::size_t target_words);
};

struct LexicalWeights {
  float source_given_target = 0.0F, target_given_source = 0.0F;  // natural logarithms
};

// Of the pair of spans in sentence s.
LexicalWeights lexical_weights(const AlignedCorpus& corpus, const Lexicon& lexicon, std::size_t s,
                               int source_begin, int source_length, int target_begin,
                               int target_length);

}  // namespace tunesmith::grammar
