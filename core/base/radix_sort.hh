// Sorting many small items by a number, several times as fast as by comparison.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace tunesmith {

// Sorts by key(item), a double that is not negative and not NaN. The bits of such doubles have
// the order of the numbers: four passes sort by the upper half of the bits, and the few runs that
// agree in it are sorted by comparison. Equal keys end in no particular, but always the same,
// order.
template <typename Item, typename Key>
void radix_sort(std::vector<Item>& items, std::vector<Item>& scratch, const Key& key) {
  const auto less = [&](const Item& a, const Item& b) { return key(a) < key(b); };
  constexpr std::size_t kFew = 64;
  if (items.size() <= kFew) {
    std::sort(items.begin(), items.end(), less);
    return;
  }
  const auto upper = [&](const Item& item) {
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(key(item)) >> 32);
  };
  constexpr int kPasses = 4, kBits = 8;
  constexpr std::uint32_t kMask = (1u << kBits) - 1;
  std::array<std::array<std::uint32_t, kMask + 1>, kPasses> counts{};
  for (const Item& item : items) {
    const std::uint32_t bits = upper(item);
    for (int pass = 0; pass < kPasses; ++pass) ++counts[pass][(bits >> (pass * kBits)) & kMask];
  }
  scratch.resize(items.size());
  for (int pass = 0; pass < kPasses; ++pass) {
    auto& places = counts[pass];
    std::uint32_t place = 0;
    for (std::uint32_t& count : places) {
      const std::uint32_t size = count;
      count = place;
      place += size;
    }
    for (const Item& item : items)
      scratch[places[(upper(item) >> (pass * kBits)) & kMask]++] = item;
    items.swap(scratch);
  }
  for (std::size_t begin = 0; begin < items.size();) {
    std::size_t end = begin + 1;
    while (end < items.size() && upper(items[end]) == upper(items[begin])) ++end;
    if (end - begin > 1) std::sort(items.begin() + begin, items.begin() + end, less);
    begin = end;
  }
}

}  // namespace tunesmith
