// The source patterns of an input: words with gaps between them, `ein X mit`. A rule's source side
// is a pattern, with or without a gap before and behind it.
//
// Patterns are a trie with suffix links (Lopez 2007): each is an earlier one with a word behind it,
// directly or after a gap, and its suffix (without its first word and a gap after that) is an
// earlier one too. So patterns in ascending order can be looked up from what was found before.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grammar/scfg/hiero_options.hh"

namespace tunesmith::grammar {

// Which source sides of a pattern fit somewhere in the input: bit lead + 2 * trail, where a gap
// leads, trails or not.
using Sides = std::uint8_t;
constexpr Sides side_bit(bool lead, bool trail) {
  return static_cast<Sides>(1U << ((lead ? 1U : 0U) + (trail ? 2U : 0U)));
}

struct SourcePattern {
  std::uint32_t prefix = 0, suffix = 0;  // 0: nothing
  std::uint32_t first_word = 0, last_word = 0;
  bool gap_after_first = false, gap_before_last = false;
  std::uint8_t words = 0, gaps = 0;
  Sides sides = 0;
  std::uint64_t key = 0;  // a hash of all symbols

  int symbols() const { return words + gaps; }
};

class SourcePatterns {
 public:
  SourcePatterns() : nodes_(1) {}

  // Number 0 is the empty pattern.
  std::uint32_t size() const { return static_cast<std::uint32_t>(nodes_.size()); }
  const SourcePattern& operator[](std::uint32_t i) const { return nodes_[i]; }

  // The pattern with a word behind it, new or old; a gap needs words before it.
  std::uint32_t extend(std::uint32_t pattern, bool gap, std::uint32_t word);
  // The same if it is there, otherwise 0.
  std::uint32_t find(std::uint32_t pattern, bool gap, std::uint32_t word) const;
  void allow(std::uint32_t pattern, Sides sides) { nodes_[pattern].sides |= sides; }
  // All symbols: words, and nonterminal(0) for gaps.
  std::vector<Symbol> symbols(std::uint32_t pattern) const;

 private:
  static std::uint64_t edge(std::uint32_t pattern, bool gap, std::uint32_t word) {
    return (static_cast<std::uint64_t>(pattern) << 33) | (gap ? std::uint64_t{1} << 32 : 0) | word;
  }

  std::vector<SourcePattern> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
};

// Which source sides of patterns were done before, by the patterns' keys.
class DoneSides {
 public:
  // Those that fit and are not done.
  Sides rest(const SourcePattern& pattern) const {
    const auto found = done_.find(pattern.key);
    return found == done_.end() ? pattern.sides
                                : static_cast<Sides>(pattern.sides & ~found->second);
  }
  // All that fit are done.
  void add(const SourcePatterns& patterns) {
    for (std::uint32_t i = 1; i < patterns.size(); ++i) done_[patterns[i].key] |= patterns[i].sides;
  }

 private:
  std::unordered_map<std::uint64_t, Sides> done_;
};

// The pattern of a source side and which of its sides it is; number 0 if it is none of `patterns`.
struct PatternSide {
  std::uint32_t pattern = 0;
  Sides side = 0;
};
PatternSide find_side(const SourcePatterns& patterns, std::span<const Symbol> source);

// All patterns of a sentence within the limits; words that are StringIndex::kMissing are in none.
void add_patterns(std::span<const std::uint32_t> sentence, const HieroOptions& options,
                  SourcePatterns& patterns);

// All patterns of any way through a lattice, whose words stand between these nodes: the patterns
// that its ways have as sentences, without those in which words are neighbours that never are by
// `follows(word, next)`. Nodes are numbered from 0, and arcs lead to higher numbers; the highest is
// the end. Throws OptionError for a lattice that has too many.
using PatternArcs = std::vector<std::pair<int, int>>;
using Follows = std::function<bool(std::uint32_t, std::uint32_t)>;
void add_patterns(std::span<const std::uint32_t> words, const PatternArcs& arcs,
                  const Follows& follows, const HieroOptions& options, SourcePatterns& patterns);

}  // namespace tunesmith::grammar
