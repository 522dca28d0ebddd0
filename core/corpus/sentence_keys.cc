#include "corpus/sentence_keys.hh"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hh"
#include "base/hash.hh"
#include "base/words.hh"
#include "engine/parallel.hh"

namespace tunesmith::corpus {

std::vector<std::uint64_t> hash_lines(std::span<const std::string_view> lines, int threads) {
  constexpr std::size_t kLinesAtOnce = 1024;
  std::vector<std::uint64_t> hashes(lines.size());
  engine::parallel_for(
      lines.size(), threads,
      [&](std::size_t i) {
        for_each_word(lines[i],
                      [&](std::string_view word) { hashes[i] = hash_string(word, hashes[i]); });
      },
      kLinesAtOnce);
  return hashes;
}

std::vector<std::uint32_t> group_by_sentence(std::span<const std::uint64_t> sources,
                                             std::span<const std::uint64_t> targets) {
  const std::size_t size = sources.size();
  if (size != targets.size())
    throw Error(std::to_string(size) + " source sentences and " + std::to_string(targets.size()) +
                " target sentences, expected equally many");
  if (size > 0xFFFFFFFF) throw Error("more than 4,294,967,295 sentence pairs");
  std::vector<std::uint32_t> parent(size);
  std::iota(parent.begin(), parent.end(), 0U);
  const auto find = [&](std::uint32_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::vector<std::uint32_t> order(size);
  for (const auto keys : {sources, targets}) {
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::pair(keys[i], i); });
    for (std::size_t i = 1; i < size; ++i) {
      if (keys[order[i]] != keys[order[i - 1]]) continue;
      const std::uint32_t one = find(order[i - 1]), other = find(order[i]);
      parent[std::max(one, other)] = std::min(one, other);
    }
  }
  for (std::uint32_t i = 0; i < size; ++i) parent[i] = find(i);
  return parent;
}

}  // namespace tunesmith::corpus
