// Words and phrases that a translation must not have: an automaton over its words (Aho & Corasick
// 1975), read from left to right.
//
// Words that a caller prescribes are what he wants, whatever he forbids elsewhere: a phrase that
// lies in prescribed words alone is no fault. So a state is what the last words are the beginning
// of, and how many of them are prescribed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_index.hh"

namespace tunesmith::decode {

class ForbiddenPhrases {
 public:
  // The longest phrase.
  static constexpr std::size_t kMostWords = 60;
  // A word that is in none of the phrases.
  static constexpr std::uint32_t kOtherWord = StringIndex::kMissing;
  // States: before the first word, and behind a forbidden phrase.
  static constexpr std::uint32_t kStart = 0, kRefused = 0xFFFFFFFF;
  // Of infixes: no phrase has these words one after the other.
  static constexpr std::uint32_t kNoInfix = 0xFFFFFFFF;

  // Phrases have at least one word and at most kMostWords.
  explicit ForbiddenPhrases(const std::vector<std::vector<std::string>>& phrases);

  bool empty() const { return words_.size() == 0; }
  // Whether a phrase can begin in one rule and end in another.
  bool spans_rules() const { return longest_ > 1; }
  std::uint32_t word(std::string_view text) const { return words_.find(text); }
  std::uint32_t after(std::uint32_t state, std::uint32_t word, bool prescribed) const;
  // Whether words that nobody prescribes have no forbidden phrase in them.
  template <typename Words>
  bool allows(const Words& words) const {
    std::uint32_t state = kStart;
    for (const std::string_view text : words)
      if ((state = after(state, word(text), false)) == kRefused) return false;
    return true;
  }

  // Sequences of words inside of phrases, numbered; 0 is that of no words.
  std::uint32_t infix(std::uint32_t before, std::uint32_t word) const;
  std::uint32_t infix_word(std::uint32_t infix) const { return infix_words_[infix]; }
  std::uint32_t shorter_infix(std::uint32_t infix) const { return shorter_[infix]; }

 private:
  struct Node {
    std::uint32_t depth = 0;
    std::uint32_t failure = 0;  // the longest end of it that is a node too
    std::uint32_t matched = 0;  // words of the longest phrase that it ends with
  };
  using Children = std::unordered_map<std::uint64_t, std::uint32_t>;
  static std::uint64_t key(std::uint32_t node, std::uint32_t word) {
    return static_cast<std::uint64_t>(node) << 32 | word;
  }
  std::uint32_t step(std::uint32_t node, std::uint32_t word) const;
  void add_phrase(std::span<const std::uint32_t> phrase);
  void add_infixes(std::span<const std::uint32_t> phrase);
  void link();

  StringIndex words_;
  std::uint32_t longest_ = 0;
  std::vector<Node> nodes_;
  Children children_;
  std::vector<std::uint32_t> infix_words_, shorter_;  // by infix
  Children infixes_;
};

}  // namespace tunesmith::decode
