// The detokeniser of Moses (detokenizer.perl), as sacremoses has it, without unescaping.
//
// Words are joined by spaces, except: none between two words of Chinese or Japanese characters;
// none after currency signs, opening brackets and opening quotes; none before punctuation and
// closing quotes; apostrophes join as the language has it; @-@ becomes a hyphen. Quotes of one
// kind open and close in turn.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/character_classes.hh"

namespace tunesmith::corpus {

enum class DetokenizerLanguage : std::uint8_t {
  kOther,
  kEnglish,
  kFrench,
  kItalian,
  kCzech,
  kKorean
};

class MosesDetokenizer {
 public:
  CharacterClasses classes;  // kAlpha, kOpening and kCjk are used
  DetokenizerLanguage language = DetokenizerLanguage::kOther;

  // Running text from words that white space separates.
  std::string operator()(std::string_view line) const;
};

}  // namespace tunesmith::corpus
