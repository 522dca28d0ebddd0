#include "corpus/neighbours.hh"

#include <algorithm>

#include "engine/parallel.hh"

namespace tunesmith::corpus {

namespace {

// Words whose neighbours one thread sorts at a time.
constexpr std::size_t kListsAtOnce = 256;

// Every token's neighbour, the tokens of a word side by side.
void collect(std::span<const std::uint64_t> sentences, std::span<const std::uint32_t> ids,
             std::uint32_t boundary, Side side, std::vector<std::uint64_t>& begins,
             std::vector<std::uint32_t>& found) {
  for (const std::uint32_t id : ids) ++begins[id + 1];
  for (std::size_t w = 1; w < begins.size(); ++w) begins[w] += begins[w - 1];
  std::vector<std::uint64_t> next(begins.begin(), begins.end() - 1);
  found.resize(ids.size());
  for (std::size_t i = 0; i + 1 < sentences.size(); ++i) {
    for (std::uint64_t at = sentences[i]; at < sentences[i + 1]; ++at) {
      std::uint32_t neighbour = boundary;
      if (side == Side::kLeft && at > sentences[i]) neighbour = ids[at - 1];
      if (side == Side::kRight && at + 1 < sentences[i + 1]) neighbour = ids[at + 1];
      found[next[ids[at]]++] = neighbour;
    }
  }
}

}  // namespace

Neighbours find_neighbours(std::span<const std::uint64_t> sentences,
                           std::span<const std::uint32_t> ids, std::uint32_t words,
                           std::uint32_t boundary, Side side, int threads) {
  std::vector<std::uint64_t> begins(words + 1, 0);
  std::vector<std::uint32_t> found;
  collect(sentences, ids, boundary, side, begins, found);

  Neighbours out;
  out.offsets.assign(words + 1, 0);
  const auto of = [&](std::size_t w) {
    return std::span(found).subspan(begins[w], begins[w + 1] - begins[w]);
  };
  engine::parallel_for(
      words, threads,
      [&](std::size_t w) {
        const auto mine = of(w);
        std::sort(mine.begin(), mine.end());
        std::uint64_t distinct = 0;
        for (std::size_t i = 0; i < mine.size(); ++i) distinct += i == 0 || mine[i] != mine[i - 1];
        out.offsets[w + 1] = distinct;
      },
      kListsAtOnce);
  for (std::size_t w = 0; w < words; ++w) out.offsets[w + 1] += out.offsets[w];
  out.words.resize(out.offsets[words]);
  out.counts.assign(out.offsets[words], 0);
  engine::parallel_for(
      words, threads,
      [&](std::size_t w) {
        const auto mine = of(w);
        std::uint64_t at = out.offsets[w];
        for (std::size_t i = 0; i < mine.size(); ++i) {
          if (i > 0 && mine[i] != mine[i - 1]) ++at;
          out.words[at] = mine[i];
          ++out.counts[at];
        }
      },
      kListsAtOnce);
  return out;
}

}  // namespace tunesmith::corpus
