#include "grammar/scfg/source_patterns.hh"

#include <algorithm>

#include "base/hash.hh"
#include "base/string_index.hh"

namespace tunesmith::grammar {

std::uint32_t SourcePatterns::find(std::uint32_t pattern, bool gap, std::uint32_t word) const {
  const auto found = edges_.find(edge(pattern, gap, word));
  return found == edges_.end() ? 0 : found->second;
}

std::uint32_t SourcePatterns::extend(std::uint32_t pattern, bool gap, std::uint32_t word) {
  if (const std::uint32_t known = find(pattern, gap, word); known != 0) return known;
  const SourcePattern before = nodes_[pattern];
  SourcePattern node;
  node.prefix = pattern;
  node.last_word = word;
  node.gap_before_last = gap;
  node.words = static_cast<std::uint8_t>(before.words + 1);
  node.gaps = static_cast<std::uint8_t>(before.gaps + (gap ? 1 : 0));
  node.key = hash_combine(before.key, edge(0, gap, word));
  if (before.words == 0) {
    node.first_word = word;
  } else {
    node.first_word = before.first_word;
    node.gap_after_first = before.words == 1 ? gap : before.gap_after_first;
    // Without the first word nothing is left for a gap to follow.
    node.suffix = extend(before.suffix, gap && before.words > 1, word);
  }
  nodes_.push_back(node);
  return edges_[edge(pattern, gap, word)] = size() - 1;
}

std::vector<Symbol> SourcePatterns::symbols(std::uint32_t pattern) const {
  std::vector<Symbol> out;
  for (; pattern != 0; pattern = nodes_[pattern].prefix) {
    out.push_back(static_cast<Symbol>(nodes_[pattern].last_word));
    if (nodes_[pattern].gap_before_last) out.push_back(nonterminal(0));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

PatternSide find_side(const SourcePatterns& patterns, std::span<const Symbol> source) {
  const bool lead = !source.empty() && is_nonterminal(source.front());
  const bool trail = source.size() > 1 && is_nonterminal(source.back());
  PatternSide found{0, side_bit(lead, trail)};
  bool gap = false;
  for (const Symbol symbol : source.subspan(lead ? 1 : 0)) {
    if (!is_nonterminal(symbol)) {
      found.pattern = patterns.find(found.pattern, gap, static_cast<std::uint32_t>(symbol));
      if (found.pattern == 0) return found;
    }
    gap = is_nonterminal(symbol);
  }
  return found;
}

namespace {

class SentencePatterns {
 public:
  SentencePatterns(std::span<const std::uint32_t> sentence, const HieroOptions& options,
                   SourcePatterns& patterns)
      : sentence_(sentence),
        options_(options),
        patterns_(patterns),
        size_(static_cast<int>(sentence.size())) {}

  void run() {
    for (int begin = 0; begin < size_; ++begin) extend(0, begin, begin, false);
  }

 private:
  // Puts the word at `place` behind a pattern that begins at `begin`.
  void extend(std::uint32_t pattern, int begin, int place, bool gap) {
    if (sentence_[place] == StringIndex::kMissing) return;
    const std::uint32_t longer = patterns_.extend(pattern, gap, sentence_[place]);
    patterns_.allow(longer, sides(longer, begin, place + 1));
    const int symbols = patterns_[longer].symbols(), gaps = patterns_[longer].gaps;
    const int limit = std::min(size_, begin + options_.max_input_span);
    if (symbols + 1 <= options_.max_symbols && place + 1 < limit)
      extend(longer, begin, place + 1, false);
    if (symbols + 2 <= options_.max_symbols && gaps < options_.max_nonterminals)
      for (int next = place + 1 + options_.min_gap; next < limit; ++next)
        extend(longer, begin, next, true);
  }

  // Which gaps there is room for around [begin, end).
  Sides sides(std::uint32_t pattern, int begin, int end) const {
    const int room = std::min(options_.max_symbols - patterns_[pattern].symbols(),
                              options_.max_nonterminals - patterns_[pattern].gaps);
    const int spare = options_.max_input_span - (end - begin), gap = options_.min_gap;
    const bool lead = begin >= gap, trail = size_ - end >= gap;
    Sides fit = side_bit(false, false);
    if (room >= 1 && spare >= gap) {
      if (lead) fit |= side_bit(true, false);
      if (trail) fit |= side_bit(false, true);
    }
    if (room >= 2 && spare >= 2 * gap && lead && trail) fit |= side_bit(true, true);
    return fit;
  }

  std::span<const std::uint32_t> sentence_;
  const HieroOptions& options_;
  SourcePatterns& patterns_;
  int size_;
};

}  // namespace

void add_patterns(std::span<const std::uint32_t> sentence, const HieroOptions& options,
                  SourcePatterns& patterns) {
  SentencePatterns(sentence, options, patterns).run();
}

}  // namespace tunesmith::grammar
