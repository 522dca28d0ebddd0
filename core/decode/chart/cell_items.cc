#include "decode/chart/cell_items.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::decode {

void CellItems::clear() {
  items_.clear();
  slots_.assign(64, kNothing);
}

std::uint32_t CellItems::add(const ChartEdge& edge, const lm::Fragment* states,
                             ChartForest& forest) {
  if (slots_.empty()) clear();
  const int size = forest.state_size;
  std::uint64_t hash = 0;
  for (int m = 0; m < size; ++m) hash = hash_combine(hash, states[m].hash());
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != kNothing &&
         !std::equal(states, states + size, forest.state(items_[slots_[at]].item)))
    at = (at + 1) & mask;
  if (slots_[at] != kNothing) {
    const std::uint32_t known = items_[slots_[at]].item;
    forest.add_edge(known, edge);
    return known;
  }
  const std::uint32_t added = forest.add_item(edge, states);
  slots_[at] = static_cast<std::uint32_t>(items_.size());
  items_.push_back({hash, added});
  if (2 * items_.size() > slots_.size()) grow();
  return added;
}

void CellItems::grow() {
  slots_.assign(2 * slots_.size(), kNothing);
  const std::size_t mask = slots_.size() - 1;
  for (std::uint32_t i = 0; i < items_.size(); ++i) {
    std::size_t at = items_[i].hash & mask;
    while (slots_[at] != kNothing) at = (at + 1) & mask;
    slots_[at] = i;
  }
}

}  // namespace tunesmith::decode
