// Text as word numbers with its suffix array: every place, sorted by the words that follow.
//
// Words are ids plus 1; a 0 ends each sentence, so no phrase that is looked for reaches across. The
// order looks at `depth` words and breaks ties by place, so it is the same for any machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/checked_array.hh"
#include "base/prefetch.hh"

namespace tunesmith::grammar {

// Places of all words (not of the zeros), sorted. By doubling (Manber & Myers 1993).
std::vector<std::uint32_t> sort_suffixes(std::span<const std::uint32_t> text, std::uint32_t words,
                                         int depth);

// Asks for the memory of an item that will be needed soon, if there is one; it is not looked at.
template <typename T>
void prefetch_item(const CheckedArray<T>& items, std::size_t i) {
  if (i < items.size()) prefetch(items.slice(0, 0).data() + i);
}

struct SuffixRange {
  std::uint64_t begin = 0, end = 0;
  std::uint64_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
};

// A text of a file; what is read of it may be wrong, but never outside.
struct SuffixText {
  CheckedArray<std::uint32_t> words;     // ids plus 1, and 0 behind each sentence
  CheckedArray<std::uint32_t> begins;    // of sentences in `words`; one more than sentences
  CheckedArray<std::uint32_t> suffixes;  // places in `words`
  CheckedArray<std::uint32_t> first;     // of each word in `suffixes`; one more than words

  std::size_t sentences() const { return begins.size() - 1; }
  // 0 beyond the end.
  std::uint32_t at(std::size_t place) const { return place < words.size() ? words[place] : 0; }
  // The places of a word (its id), and of those in `range` the ones with `word` at `depth`.
  SuffixRange find(std::uint32_t id) const;
  SuffixRange narrow(SuffixRange range, int depth, std::uint32_t id) const;
  // Words of sentence s, without the 0 behind them. Throws InputError if there is no such sentence.
  std::span<const std::uint32_t> sentence(std::size_t s) const;
  std::size_t sentence_of(std::uint32_t place) const;

  // What must hold of the arrays; false if their sizes cannot be right.
  bool fits(std::uint32_t vocabulary);
};

}  // namespace tunesmith::grammar
