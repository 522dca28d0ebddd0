// The items of a cell by their language-model states.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/chart/chart_forest.hh"

namespace tunesmith::decode {

class CellItems {
 public:
  void clear();
  // Adds an edge to the item with these states, as many as the forest says, or to a new one.
  // Returns the item.
  std::uint32_t add(const ChartEdge& edge, const lm::Fragment* states, ChartForest& forest);

 private:
  struct Found {
    std::uint64_t hash;
    std::uint32_t item;
  };
  void grow();

  std::vector<std::uint32_t> slots_;  // of items_; open addressing, at most half full
  std::vector<Found> items_;
};

}  // namespace tunesmith::decode
