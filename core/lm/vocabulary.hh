// Words of a language model: string ↔ id, read-only, as arrays that a file can hold.
//
// Three ids are fixed: <unk>, <s> and </s>. In a user's text these three strings are ordinary
// words; the vocabulary (and an ARPA file) spells such a word with a backslash before it, and one
// more backslash before a word that already looks so, so that nothing collides:
//   text  <s>  →  \<s>        text  \<s>  →  \\<s>
// find() takes the spelling of an ARPA file, word() the word of a text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hh"
#include "base/words.hh"

namespace tunesmith::lm {

using WordId = std::uint32_t;
constexpr WordId kUnknown = 0;  // <unk>
constexpr WordId kBegin = 1;    // <s>
constexpr WordId kEnd = 2;      // </s>

// Whether `word` is one of the three markers after any number of backslashes.
inline bool looks_reserved(std::string_view word) {
  if (word.size() < 3 || word.back() != '>') return false;
  word.remove_prefix(std::min(word.find_first_not_of('\\'), word.size()));
  return word == "<s>" || word == "</s>" || word == "<unk>";
}

// The spelling of a text's word in a vocabulary.
std::string spelled(std::string_view word);

class Vocabulary {
 public:
  struct Slot {
    std::uint32_t tag;
    WordId id;
  };
  static constexpr WordId kMissing = 0xFFFFFFFF;

  Vocabulary() = default;
  // `slots`: open addressing over hash_string, a power of two, kMissing where empty.
  Vocabulary(std::span<const char> bytes, std::span<const std::uint64_t> ends,
             std::span<const Slot> slots)
      : bytes_(bytes), ends_(ends), slots_(slots) {}

  WordId size() const { return static_cast<WordId>(ends_.size()); }

  // The id of a word spelled as in an ARPA file; kUnknown when there is none.
  WordId find(std::string_view spelling) const { return find_or(spelling, kUnknown); }

  WordId find_or(std::string_view spelling, WordId missing) const {
    const std::uint64_t hash = hash_string(spelling);
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.id == kMissing) return missing;
      if (slot.tag == tag && text(slot.id) == spelling) return slot.id;
    }
  }

  // The id of a word of a text, where <s>, </s> and <unk> mean nothing special.
  WordId word(std::string_view word) const {
    return looks_reserved(word) ? find(spelled(word)) : find(word);
  }

  // The spelling of a word, as in an ARPA file.
  std::string_view text(WordId id) const {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return {bytes_.data() + begin, ends_[id] - begin};
  }

  std::span<const char> bytes() const { return bytes_; }
  std::span<const std::uint64_t> ends() const { return ends_; }
  std::span<const Slot> slots() const { return slots_; }

 private:
  std::span<const char> bytes_;
  std::span<const std::uint64_t> ends_;
  std::span<const Slot> slots_;
};

// The slots of a vocabulary whose strings are distinct.
std::vector<Vocabulary::Slot> vocabulary_slots(std::span<const char> bytes,
                                               std::span<const std::uint64_t> ends);

}  // namespace tunesmith::lm
