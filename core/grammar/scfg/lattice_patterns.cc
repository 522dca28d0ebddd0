#include <algorithm>
#include <bitset>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/error.hh"
#include "base/string_index.hh"
#include "grammar/scfg/source_patterns.hh"

namespace tunesmith::grammar {
namespace {

constexpr int kNoWay = 1 << 20;
// Beyond these a lattice is no input for a translator but an attack on it.
constexpr std::uint32_t kMostPatterns = 1U << 22;
constexpr int kMostNodes = 1 << 12;

class LatticePatterns {
 public:
  LatticePatterns(std::span<const std::uint32_t> words, const PatternArcs& arcs,
                  const Follows& follows, const HieroOptions& options, SourcePatterns& patterns)
      : words_(words), arcs_(arcs), follows_(follows), options_(options), patterns_(patterns) {
    if (arcs.size() != words.size()) throw OptionError("a lattice needs a word on each arc");
    for (const auto& [begin, end] : arcs) {
      if (begin < 0 || end <= begin || end >= kMostNodes)
        throw OptionError("an arc from " + std::to_string(begin) + " to " + std::to_string(end));
      nodes_ = std::max(nodes_, end + 1);
    }
    leaving_.resize(nodes_);
    for (std::uint32_t arc = 0; arc < arcs.size(); ++arc) leaving_[arcs[arc].first].push_back(arc);
    measure_gaps();
  }

  void run() {
    for (int begin = 0; begin < nodes_; ++begin)
      for (const std::uint32_t arc : leaving_[begin]) extend(0, begin, arc, 0, false);
  }

 private:
  // The fewest words of a gap from each node to each other one, if it has at least `min_gap`.
  void measure_gaps() {
    const auto least = static_cast<std::size_t>(options_.min_gap);
    gaps_.assign(static_cast<std::size_t>(nodes_) * nodes_, kNoWay);
    before_.assign(nodes_, kNoWay);
    behind_.assign(nodes_, kNoWay);
    for (int begin = 0; begin < nodes_; ++begin) {
      int* const gaps = gaps_.data() + static_cast<std::size_t>(begin) * nodes_;
      // Which numbers of words below `least` lead there.
      std::vector<std::bitset<kMaxHieroSpan>> below(nodes_);
      below[begin].set(0);
      for (int node = begin; node < nodes_; ++node) {
        for (const std::uint32_t arc : leaving_[node]) {
          const int end = arcs_[arc].second;
          below[end] |= below[node] << 1;
          if (below[node].test(least - 1)) gaps[end] = std::min(gaps[end], options_.min_gap);
          if (gaps[node] != kNoWay) gaps[end] = std::min(gaps[end], gaps[node] + 1);
        }
        before_[node] = std::min(before_[node], gaps[node]);
        behind_[begin] = std::min(behind_[begin], gaps[node]);
      }
    }
  }

  // Puts a word behind a pattern that begins at `begin` and spans `length` words with the gap
  // before this one.
  void extend(std::uint32_t pattern, int begin, std::uint32_t arc, int length, bool gap) {
    if (words_[arc] == StringIndex::kMissing || ++length > options_.max_input_span) return;
    if (pattern != 0 && !gap && !is_followed(patterns_[pattern].last_word, words_[arc])) return;
    const std::uint32_t longer = patterns_.extend(pattern, gap, words_[arc]);
    if (patterns_.size() > kMostPatterns)
      throw OptionError("a lattice with more than " + std::to_string(kMostPatterns) +
                        " source patterns");
    const int end = arcs_[arc].second;
    // Several ways lead to the same pattern in the same place.
    const auto place = (static_cast<std::uint64_t>(begin) << 20) | (end << 8) | length;
    if (!seen_.insert((static_cast<std::uint64_t>(longer) << 32) | place).second) return;
    patterns_.allow(longer, sides(longer, begin, end, length));
    const int symbols = patterns_[longer].symbols(), gaps = patterns_[longer].gaps;
    if (symbols + 1 <= options_.max_symbols)
      for (const std::uint32_t next : leaving_[end]) extend(longer, begin, next, length, false);
    if (symbols + 2 <= options_.max_symbols && gaps < options_.max_nonterminals)
      for (int node = end + 1; node < nodes_; ++node)
        if (const int words = gaps_[static_cast<std::size_t>(end) * nodes_ + node]; words != kNoWay)
          for (const std::uint32_t next : leaving_[node])
            extend(longer, begin, next, length + words, true);
  }

  bool is_followed(std::uint32_t word, std::uint32_t next) {
    const auto [known, is_new] =
        followed_.try_emplace((static_cast<std::uint64_t>(word) << 32) | next);
    if (is_new) known->second = follows_(word, next);
    return known->second;
  }

  // Which gaps there is room for around a pattern.
  Sides sides(std::uint32_t pattern, int begin, int end, int length) const {
    const int room = std::min(options_.max_symbols - patterns_[pattern].symbols(),
                              options_.max_nonterminals - patterns_[pattern].gaps);
    const int spare = options_.max_input_span - length;
    const int lead = before_[begin], trail = behind_[end];
    Sides fit = side_bit(false, false);
    if (room >= 1 && lead <= spare) fit |= side_bit(true, false);
    if (room >= 1 && trail <= spare) fit |= side_bit(false, true);
    if (room >= 2 && lead + trail <= spare) fit |= side_bit(true, true);
    return fit;
  }

  std::span<const std::uint32_t> words_;
  const PatternArcs& arcs_;
  const Follows& follows_;
  const HieroOptions& options_;
  SourcePatterns& patterns_;
  int nodes_ = 1;
  std::vector<std::vector<std::uint32_t>> leaving_;  // arcs by the nodes that they leave
  std::vector<int> gaps_;                            // [from, to]
  std::vector<int> before_, behind_;                 // the shortest gap that ends, begins there
  std::unordered_set<std::uint64_t> seen_;
  std::unordered_map<std::uint64_t, bool> followed_;  // by two words
};

}  // namespace

void add_patterns(std::span<const std::uint32_t> words, const PatternArcs& arcs,
                  const Follows& follows, const HieroOptions& options, SourcePatterns& patterns) {
  LatticePatterns(words, arcs, follows, options, patterns).run();
}

}  // namespace tunesmith::grammar
