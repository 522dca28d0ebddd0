// Whole sentences. Several are scored in turns, so that one waits for memory while the others work;
// a sentence that comes alone is cut into pieces that take turns in the same way.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "lm/model.hh"

namespace tunesmith::lm {

struct SentenceOptions {
  bool begin = true;  // start behind <s>
  bool end = true;    // score </s> too
};

// Total log10 of every sentence.
std::vector<double> score_sentences(const Model& model, std::span<const std::string_view> sentences,
                                    SentenceOptions options, int threads);

// Every word of sentence i is at offsets[i] … offsets[i + 1] − 1, </s> last where it is scored.
struct WordScores {
  std::vector<std::uint64_t> offsets;
  std::vector<float> log10;
  std::vector<std::uint8_t> length;  // of the n-gram that gave the probability
  std::vector<WordId> words;         // 0 is an unknown word
};
WordScores score_words(const Model& model, std::span<const std::string_view> sentences,
                       SentenceOptions options, int threads);

// The same of one sentence, bit for bit, without what it costs to start on many.
double score_sentence(const Model& model, std::string_view sentence, SentenceOptions options);
WordScores score_words(const Model& model, std::string_view sentence, SentenceOptions options);

}  // namespace tunesmith::lm
