// The part of a forest from which the goal is reached, tails before heads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "decode/chart/chart_forest.hh"

namespace tunesmith::decode {

class ReachedItems {
 public:
  // With `keep`, one flag for each edge, only those edges count; empty: all do. The forest has
  // reached its goal; it and the flags must outlive this.
  explicit ReachedItems(const ChartForest& forest, std::span<const std::uint8_t> keep = {})
      : forest_(forest), keep_(keep), number_(forest.items.size(), kNothing) {
    number_.back() = 0;
    for (auto item = static_cast<std::uint32_t>(number_.size()); item-- > 0;) {
      if (number_[item] == kNothing) continue;
      for (const std::uint32_t e : edges_of(item))
        for (const std::uint32_t tail : forest_.edges[e].tails)
          if (tail != kNothing) number_[tail] = 0;
    }
  }

  // Calls `add_edge(e)` for the edges of every item, in the order in which they were found, and
  // then `close_item()`, which gives the item its number.
  template <typename AddEdge, typename CloseItem>
  void visit(const AddEdge& add_edge, const CloseItem& close_item) {
    for (std::uint32_t item = 0; item < number_.size(); ++item) {
      if (number_[item] == kNothing) continue;
      for (const std::uint32_t e : edges_of(item)) add_edge(e);
      number_[item] = close_item();
    }
  }

  // Of an item that has been closed.
  std::uint32_t number(std::uint32_t item) const { return number_[item]; }

 private:
  const std::vector<std::uint32_t>& edges_of(std::uint32_t item) {
    order_.clear();
    for (std::uint32_t e = forest_.items[item].edges; e != kNothing; e = forest_.edges[e].next)
      if (keep_.empty() || keep_[e] != 0) order_.push_back(e);
    std::ranges::reverse(order_);
    return order_;
  }

  const ChartForest& forest_;
  std::span<const std::uint8_t> keep_;
  std::vector<std::uint32_t> number_;  // kNothing: the goal is not reached from it
  std::vector<std::uint32_t> order_;
};

}  // namespace tunesmith::decode
