#include "features/word_atoms.hh"

#include <algorithm>

#include "base/character_kind.hh"
#include "base/code_points.hh"
#include "base/hash.hh"
#include "features/feature_names.hh"

namespace tunesmith::features {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

std::string_view first_character(std::string_view word) {
  std::size_t end = word.empty() ? 0 : 1;
  while (end < word.size() && continues(word[end])) ++end;
  return word.substr(0, end);
}

std::string_view last_character(std::string_view word) {
  if (word.empty()) return word;
  std::size_t begin = word.size() - 1;
  while (begin > 0 && continues(word[begin])) --begin;
  return word.substr(begin);
}

int count_maps(const std::vector<AtomLevel>& levels) {
  return static_cast<int>(std::count(levels.begin(), levels.end(), AtomLevel::kClass));
}

}  // namespace

WordType word_type(std::string_view word) {
  auto kind = CharacterKind::kNone;
  for (std::size_t at = 0; at < word.size();)
    kind = std::max(kind, character_kind(next_code_point(word, at)));
  switch (kind) {
    case CharacterKind::kPunctuation:
      return WordType::kPunctuation;
    case CharacterKind::kDigit:
      return WordType::kDigits;
    case CharacterKind::kLetter:
      return WordType::kLetters;
    case CharacterKind::kIdeograph:
      return WordType::kIdeographs;
    case CharacterKind::kNone:
      break;
  }
  return WordType::kOther;
}

const char* word_type_name(WordType type) {
  constexpr const char* kNames[] = {"", "punctuation", "digits", "letters", "other", "ideographs"};
  return kNames[static_cast<int>(type)];
}

WordAtoms::WordAtoms(std::vector<AtomLevel> levels, const std::vector<std::string>& words,
                     const std::vector<std::vector<std::string>>& classes)
    : levels_(std::move(levels)), maps_(count_maps(levels_)) {
  if (words.size() != classes.size()) throw OptionError("classes of another number of words");
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (static_cast<int>(classes[w].size()) != maps_)
      throw OptionError("a word with " + std::to_string(classes[w].size()) + " classes, expected " +
                        std::to_string(maps_));
    if (words_.add(words[w]) != w) throw OptionError("a repeated word: " + quoted(words[w]));
    for (const std::string& name : classes[w]) {
      classes_.push_back(name.empty() ? 0 : hash_string(name));
      if (!name.empty()) class_names_.add(name);
    }
  }
  index_names();
}

void WordAtoms::index_names() {
  for (std::uint32_t i = 0; i < class_names_.size(); ++i)
    name_of_.emplace(hash_string(class_names_.text(i)), i);
}

WordAtoms::WordAtoms(std::vector<AtomLevel> levels, const ArrayFile& file, const std::string& side)
    : levels_(std::move(levels)), maps_(count_maps(levels_)) {
  const auto classes = file.array<std::uint64_t>(side + "_classes");
  words_ = StringIndex::read(file, side + "_words", side + "_word_ends");
  if (file.has(side + "_class_names"))
    class_names_ = StringIndex::read(file, side + "_class_names", side + "_class_name_ends");
  index_names();
  if (classes.size() != static_cast<std::size_t>(words_.size()) * maps_)
    throw InputError(file.path(), 0, "arrays of the words do not fit together",
                     "a class of every word in every map", "make it again");
  classes_.assign(classes.begin(), classes.end());
}

void WordAtoms::save(ArrayFileWriter& file, const std::string& side) const {
  file.add(side + "_words", words_.bytes());
  file.add(side + "_word_ends", words_.ends());
  file.add(side + "_classes", classes_);
  file.add(side + "_class_names", class_names_.bytes());
  file.add(side + "_class_name_ends", class_names_.ends());
}

void WordAtoms::read(std::string_view word, std::uint64_t* left, std::uint64_t* right) const {
  const std::uint32_t id = maps_ > 0 ? words_.find(word) : StringIndex::kMissing;
  int map = 0;
  for (std::size_t level = 0; level < levels_.size(); ++level) {
    std::uint64_t value = 0;
    switch (levels_[level]) {
      case AtomLevel::kWord:
        value = hash_string(word);
        break;
      case AtomLevel::kType:
        value = static_cast<std::uint64_t>(word_type(word));
        break;
      case AtomLevel::kClass:
        value = id == StringIndex::kMissing ? 0 : classes_[std::size_t{id} * maps_ + map];
        ++map;
        break;
      case AtomLevel::kCharacter:
        left[level] = hash_string(first_character(word));
        right[level] = hash_string(last_character(word));
        continue;
    }
    left[level] = right[level] = value;
  }
}

std::string WordAtoms::text(std::string_view word, int level, bool from_left) const {
  const auto as_part = [](std::string_view text) {
    return text == kSentenceBegin || text == kSentenceEnd ? std::string(text) : name_part(text);
  };
  switch (levels_[level]) {
    case AtomLevel::kWord:
      return as_part(word);
    case AtomLevel::kCharacter:
      return name_part(from_left ? first_character(word) : last_character(word));
    case AtomLevel::kType:
      return word_type_name(word_type(word));
    case AtomLevel::kClass:
      break;
  }
  const std::uint32_t id = words_.find(word);
  if (id == StringIndex::kMissing) return "<none>";
  const auto map = std::count(levels_.begin(), levels_.begin() + level, AtomLevel::kClass);
  const std::uint64_t hash = classes_[std::size_t{id} * maps_ + map];
  const auto found = name_of_.find(hash);
  if (hash == 0) return "<none>";
  return found == name_of_.end() ? "<" + std::to_string(hash) + ">"
                                 : name_part(class_names_.text(found->second));
}

std::map<std::string, std::vector<std::string>> WordAtoms::members(int level,
                                                                   std::size_t most) const {
  std::map<std::string, std::vector<std::string>> out;
  if (levels_[level] != AtomLevel::kClass) return out;
  for (std::uint32_t word = 0; word < words_.size(); ++word) {
    auto& words = out[text(words_.text(word), level, true)];
    if (words.size() < most) words.emplace_back(words_.text(word));
  }
  out.erase("<none>");
  return out;
}

}  // namespace tunesmith::features
