// The white space of running text: which of a few kinds stands before each word.
//
//   1. A word has a sign on each side: what kind of letter or digit stands at that edge, or, for a
//      mark, the mark itself. A quote's sign says too whether it opens, closes or stands alone,
//      which follows from the quotes before and behind it in the line.
//   2. `add` counts the white space between the signs of two neighbours in running text, together
//      with what stands around them: before a mark on the left (and whether white space stood
//      there), behind a mark on the right.
//   3. `decide` goes from left to right. Each decision is that of the most detailed counts,
//   smoothed
//      with less detailed ones: pair in its surroundings, pair, each mark of two with anything
//      there that closes (or opens) or not, and at last the rules for the language (`usual`). More
//      detailed counts of the same observations say nothing new.
//
// Between scripts that have no spaces between words, white space stands where there is a word for
// it (▁ or an empty one, which is not written).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/string_index.hh"
#include "corpus/word_signs.hh"

namespace tunesmith::corpus {

class Spacing {
 public:
  static constexpr std::array<std::u32string_view, 7> kSpaces = {
      U"", U" ", U"\u00A0", U"\u202F", U"\u2009", U"\u200B", U"\u3000"};
  static constexpr std::uint8_t kNone = 0, kSpace = 1, kFree = 255;

  using Counts = std::array<std::uint32_t, kSpaces.size()>;
  // What was counted of a pair: its signs, three numbers for its surroundings, the counts.
  using Row = std::tuple<std::string, std::string, std::vector<std::uint32_t>>;
  // The rules that hold where nothing was counted.
  struct Usual {
    bool english = false;       // dogs' food; 5€
    bool french = false;        // a space before ? ! : ; %
    bool unspaced_gap = false;  // between a letter of an unspaced script and another word
  };

  using Key = std::uint64_t;
  // Decisions that one thread has made.
  using Memory = std::vector<std::pair<Key, std::uint8_t>>;

  Spacing();
  // An empty memory.
  static Memory memory() { return Memory(4096, {~0ULL, kNone}); }

  Usual usual;

  // Counts one line, whose words are from begins[i] to ends[i] (code points); those that overlap
  // say nothing.
  void add(std::u32string_view line, std::span<const std::uint32_t> begins,
           std::span<const std::uint32_t> ends);
  void add_row(const Row& row);  // throws Error
  std::vector<Row> rows() const;

  // Must be called after the last add() and before decide().
  void prepare();
  // The white space before each word, by its number in kSpaces; `fixed` (kFree: decide) is kept.
  void decide(std::span<const std::u32string_view> words, std::span<const std::uint8_t> fixed,
              std::vector<std::uint8_t>& result, Memory& memory) const;
  // Running text of words that spaces separate.
  std::string join(std::string_view words, Memory& memory) const;

  // Commas and full stops behind a word: with white space before them, and all.
  std::uint64_t spaced_stops = 0, all_stops = 0;
  // Words with an apostrophe: ', ’ and ʼ.
  std::array<std::uint64_t, 3> apostrophes = {};

 private:
  using Probabilities = std::array<double, kSpaces.size()>;
  static Key full_key(const std::vector<WordSign>& signs, std::size_t i, std::uint8_t gap);
  std::uint8_t usual_space(const WordSign* before, const WordSign& left, bool gap,
                           const WordSign& right, const WordSign* after) const;
  std::uint8_t most_likely(Key full, EdgeClass left_class, EdgeClass right_class,
                           std::uint8_t usual, bool is_some) const;
  // The counts of a key and above them, those of the less detailed keys in `p`.
  struct Estimate {
    Probabilities p;
    const Counts* of = nullptr;  // the most detailed counts
  };
  void refine(Estimate& estimate, Key key) const;

  StringIndex signs_;
  std::unordered_map<Key, Counts> counted_;  // in full surroundings
  std::unordered_map<Key, Counts> counts_;   // at all levels of detail
};

}  // namespace tunesmith::corpus
