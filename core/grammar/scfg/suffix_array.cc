#include "grammar/scfg/suffix_array.hh"

#include <algorithm>
#include <functional>

namespace tunesmith::grammar {

std::vector<std::uint32_t> sort_suffixes(std::span<const std::uint32_t> text, std::uint32_t words,
                                         int depth) {
  const std::size_t size = text.size();
  std::vector<std::uint32_t> order(size), next(size), rank(text.begin(), text.end());
  std::vector<std::uint32_t> places(static_cast<std::size_t>(words) + 2);
  for (const std::uint32_t word : text) ++places[word + 1];
  const std::size_t zeros = places[1];
  for (std::size_t i = 1; i < places.size(); ++i) places[i] += places[i - 1];
  for (std::size_t i = 0; i < size; ++i) order[places[text[i]]++] = static_cast<std::uint32_t>(i);
  // Sorted by `length` words and ranked by them, places are sorted by twice as many: taken in the
  // order of what follows after `length` words, each goes to the next free place of its rank.
  for (std::size_t length = 1; size > 0 && length < static_cast<std::size_t>(depth); length *= 2) {
    // The rank of a place is where its first equal stands.
    next[order[0]] = 0;
    for (std::size_t i = 1; i < size; ++i) {
      const std::uint32_t a = order[i - 1], b = order[i];
      const auto half = [&](std::uint32_t place) -> std::int64_t {
        return place + length / 2 < size ? rank[place + length / 2] : -1;
      };
      const bool equal = rank[a] == rank[b] && (length == 1 || half(a) == half(b));
      next[b] = equal ? next[a] : static_cast<std::uint32_t>(i);
    }
    rank.swap(next);
    std::vector<std::uint32_t> free(size);
    for (std::size_t i = 0; i < size; ++i) free[i] = static_cast<std::uint32_t>(i);
    // Nothing follows the last `length` places: they come first within their ranks.
    for (std::size_t i = size - std::min(length, size); i < size; ++i)
      next[free[rank[i]]++] = static_cast<std::uint32_t>(i);
    for (std::size_t i = 0; i < size; ++i)
      if (order[i] >= length) {
        const auto place = static_cast<std::uint32_t>(order[i] - length);
        next[free[rank[place]]++] = place;
      }
    order.swap(next);
  }
  order.erase(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(zeros));
  return order;
}

SuffixRange SuffixText::find(std::uint32_t id) const {
  const SuffixRange range{first[id], first[id + 1]};
  if (range.begin > range.end || range.end > suffixes.size()) first.refuse();
  return range;
}

SuffixRange SuffixText::narrow(SuffixRange range, int depth, std::uint32_t id) const {
  const auto bound = [&](std::uint64_t begin, std::uint32_t word) {
    std::uint64_t end = range.end;
    while (begin < end) {
      const std::uint64_t middle = begin + (end - begin) / 2;
      if (at(suffixes[middle] + static_cast<std::size_t>(depth)) < word)
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  };
  const std::uint64_t begin = bound(range.begin, id + 1);
  return {begin, bound(begin, id + 2)};
}

std::span<const std::uint32_t> SuffixText::sentence(std::size_t s) const {
  if (s >= sentences() || begins[s] >= begins[s + 1]) begins.refuse();
  return words.slice(begins[s], begins[s + 1] - 1);
}

std::size_t SuffixText::sentence_of(std::uint32_t place) const {
  const std::size_t after =
      begins.partition_point([&](std::uint32_t begin) { return begin <= place; });
  if (after == 0 || after > sentences()) begins.refuse();
  return after - 1;
}

bool SuffixText::fits(std::uint32_t vocabulary) {
  words.expect_each([vocabulary](std::uint32_t word) { return word <= vocabulary; });
  begins.expect_neighbours(std::less());
  suffixes.expect_each([size = words.size()](std::uint32_t place) { return place < size; });
  first.expect_neighbours(std::less_equal());
  return !begins.empty() && begins[0] == 0 && begins.back() == words.size() &&
         suffixes.size() + sentences() == words.size() &&
         first.size() == static_cast<std::size_t>(vocabulary) + 1 &&
         first.back() == suffixes.size();
}

}  // namespace tunesmith::grammar
