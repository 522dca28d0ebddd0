// A word at several levels of detail: the word itself, its classes, its first and last character,
// its type (Yu et al. 2013, Table 1).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/array_file.hh"
#include "base/string_index.hh"

namespace tunesmith::features {

enum class AtomLevel : std::uint8_t { kWord, kCharacter, kClass, kType };

class WordAtoms {
 public:
  // `classes` has a row for every word: its class in every map, "" where a map does not have it.
  // Levels of kind kClass take the maps in their order.
  WordAtoms(std::vector<AtomLevel> levels, const std::vector<std::string>& words,
            const std::vector<std::vector<std::string>>& classes);
  WordAtoms(std::vector<AtomLevel> levels, const ArrayFile& file, const std::string& side);

  int levels() const { return static_cast<int>(levels_.size()); }
  // Hashes of the word at every level, as seen from its left and from its right edge; a word that
  // no map knows has the class 0.
  void read(std::string_view word, std::uint64_t* left, std::uint64_t* right) const;

  // The word at a level, for people: as part of a name, `<none>` where no map knows it.
  std::string text(std::string_view word, int level, bool from_left) const;

  // The classes of a level with the words that they have, `most` at the most and in the order in
  // which they were given; none of a level that is no class. Classes as text() writes them.
  std::map<std::string, std::vector<std::string>> members(int level, std::size_t most) const;

  void save(ArrayFileWriter& file, const std::string& side) const;

 private:
  void index_names();

  std::vector<AtomLevel> levels_;
  int maps_ = 0;
  StringIndex words_;
  std::vector<std::uint64_t> classes_;                        // [word × map] hashes
  StringIndex class_names_;                                   // of all maps; a model may have none
  std::unordered_map<std::uint64_t, std::uint32_t> name_of_;  // hash → class
};

// What stands before and behind a sentence, as a word.
constexpr std::string_view kSentenceBegin = "<s>", kSentenceEnd = "</s>";

// The type of a word is that of its weightiest character: a word with an ideograph is one of
// Chinese (the paper's "otherwise"), even if it has a digit; one with a letter comes next (its
// "alpha"). Numbers are part of the keys of features.
enum class WordType : std::uint8_t {
  kPunctuation = 1,
  kDigits,
  kLetters,
  kOther,  // none of these: nothing but marks or control characters
  kIdeographs
};
WordType word_type(std::string_view word);
const char* word_type_name(WordType type);

}  // namespace tunesmith::features
