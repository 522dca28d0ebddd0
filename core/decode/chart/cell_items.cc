#include "decode/chart/cell_items.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::decode {

void CellItems::clear() {
  items_.clear();
  slots_.assign(64, kNothing);
}

std::uint32_t CellItems::add(ChartEdge edge, const lm::Fragment* states, ChartForest& forest) {
  if (slots_.empty()) clear();
  const int size = forest.state_size;
  std::uint64_t hash = 0;
  for (int m = 0; m < size; ++m) hash = hash_combine(hash, states[m].hash());
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at] != kNothing &&
         !std::equal(states, states + size, forest.state(items_[slots_[at]].item)))
    at = (at + 1) & mask;
  const auto number = static_cast<std::uint32_t>(forest.edges.size());
  std::uint32_t found;
  if (slots_[at] == kNothing) {
    found = static_cast<std::uint32_t>(forest.items.size());
    slots_[at] = static_cast<std::uint32_t>(items_.size());
    items_.push_back({hash, found});
    forest.items.push_back({edge.score, number, number});
    forest.states.insert(forest.states.end(), states, states + size);
    if (2 * items_.size() > slots_.size()) grow();
  } else {
    found = items_[slots_[at]].item;
    ChartItem& item = forest.items[found];
    edge.next = item.edges;
    item.edges = number;
    if (edge.score > item.score) {
      item.score = edge.score;
      item.best = number;
    }
  }
  forest.edges.push_back(edge);
  return found;
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
