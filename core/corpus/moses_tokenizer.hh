// The tokeniser of Moses (tokenizer.perl), word for word as sacremoses has it, without escaping.
//
// The rules, each over the whole line before the next begins:
//   1. white space becomes single spaces, other control characters go;
//   2. a character that is neither part of a word nor one of . ' ’ ` , - is set apart;
//   3. hyphens between word characters become @-@ (only if asked);
//   4. a run of two or more full stops is set apart and is one word;
//   5. commas are set apart unless they stand between numbers;
//   6. apostrophes between letters: English joins them to the right (don 't), French, Italian and
//      their like to the left (l' eau), in other languages the word stays whole (п'ять); all other
//      apostrophes are set apart;
//   7. a full stop at the end of a word is set apart unless the word is an abbreviation, a number
//      sign before a number, or the next word starts with a small letter.
// Every character stays, in order: only white space comes or goes, and control characters go.
// Differences from sacremoses:
//   - ’ and ʼ are apostrophes like '; the ends of a line are like white space beside one, and a
//   word
//     with an apostrophe inside stays whole where sacremoses makes three words of it;
//   - arrows, comparisons and dashes between words (-> <= word--word) are one word each;
//   - punctuation is never part of a word (full-width marks in Chinese); letters, digits and
//     fractions that sacremoses does not know are (m², new letters), and so are what
//     `is_inside_word` lists;
//   - marks and joiners stay with the character before them: é as two characters, a family emoji,
//     a flag and a word with a soft hyphen are one word; zero-width spaces are white space;
//   - the words DOTMULTI and DOTDOTMULTI are words, not markers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/string_index.hh"
#include "corpus/character_classes.hh"

namespace tunesmith::corpus {

// Where a word with an apostrophe between letters is cut.
enum class Apostrophes : std::uint8_t { kInside, kEnglish, kFrench };

class MosesTokenizer {
 public:
  CharacterClasses classes;
  Apostrophes apostrophes = Apostrophes::kInside;
  bool colons_inside = false;  // Finnish and Swedish: EU:n
  bool split_hyphens = false;
  StringIndex abbreviations;          // that keep their full stop
  StringIndex numeric_abbreviations;  // that keep it before a number

  // Buffers of one thread.
  struct Scratch {
    std::u32string text, other;
    std::string prefix;
  };

  // The words of `line`, joined by single spaces.
  std::string operator()(std::string_view line, Scratch& scratch) const;

 private:
  void set_apart(const std::u32string& in, std::u32string& out) const;
  bool is_inside_word(const std::u32string& in, std::size_t i) const;
  void set_commas_apart(std::u32string& text, std::u32string& other) const;
  void set_apostrophes_apart(std::u32string& text, std::u32string& other) const;
  bool keeps_full_stop(std::u32string_view prefix, std::u32string_view next,
                       std::string& buffer) const;
  std::string finish(std::u32string_view text, std::string& buffer) const;
};

}  // namespace tunesmith::corpus
