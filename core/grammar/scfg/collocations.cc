#include "grammar/scfg/collocations.hh"

#include <algorithm>
#include <numeric>

namespace tunesmith::grammar {
namespace {

constexpr std::uint16_t kSeldom = 0xFFFF;

// Calls visit(row of the pair, begin, second) for every two frequent words that stand right.
template <typename Visit>
void each_pair(std::span<const std::uint32_t> text, const std::vector<std::uint16_t>& rank,
               std::size_t frequent, const HieroOptions& options, Visit visit) {
  const auto least = static_cast<std::size_t>(options.min_gap);
  const auto limit = static_cast<std::size_t>(options.max_span);
  for (std::size_t begin = 0; begin < text.size(); ++begin) {
    if (rank[text[begin]] == kSeldom) continue;
    const std::size_t row = rank[text[begin]] * frequent;
    for (std::size_t offset = 1; offset < limit; ++offset) {
      const std::uint32_t word = text[begin + offset];
      if (word == 0) break;
      if (offset > least && rank[word] != kSeldom) visit(row + rank[word], begin, offset);
    }
  }
}

}  // namespace

FrequentPairs find_frequent_pairs(std::span<const std::uint32_t> text,
                                  std::span<const std::uint32_t> counts,
                                  const HieroOptions& options) {
  FrequentPairs out;
  out.words.resize(counts.size());
  std::iota(out.words.begin(), out.words.end(), 0);
  const std::size_t size = std::min(counts.size(), static_cast<std::size_t>(options.frequent));
  std::partial_sort(out.words.begin(), out.words.begin() + static_cast<std::ptrdiff_t>(size),
                    out.words.end(), [&](std::uint32_t a, std::uint32_t b) {
                      return counts[a] != counts[b] ? counts[a] > counts[b] : a < b;
                    });
  out.words.resize(size);
  std::sort(out.words.begin(), out.words.end());
  std::vector<std::uint16_t> rank(counts.size() + 1, kSeldom);
  for (std::size_t i = 0; i < size; ++i) rank[out.words[i] + 1] = static_cast<std::uint16_t>(i);

  out.totals.resize(size * size);
  each_pair(text, rank, size, options,
            [&](std::size_t row, std::size_t, std::size_t) { ++out.totals[row]; });
  std::vector<Stride> strides;
  std::vector<std::uint64_t> next, seen(out.totals.size());
  std::uint64_t end = 0;
  for (const std::uint64_t total : out.totals) {
    next.push_back(end);
    strides.emplace_back(total, static_cast<std::uint64_t>(options.candidates));
    out.ends.push_back(end += strides.back().kept);
  }
  const std::vector<std::uint64_t> starts = next;
  out.begins.resize(end);
  out.seconds.resize(end);
  each_pair(text, rank, size, options, [&](std::size_t row, std::size_t begin, std::size_t offset) {
    const std::uint64_t taken = next[row] - starts[row];
    if (seen[row]++ != strides[row][taken]) return;
    out.begins[next[row]] = static_cast<std::uint32_t>(begin);
    out.seconds[next[row]++] = static_cast<std::uint8_t>(offset);
  });
  return out;
}

}  // namespace tunesmith::grammar
