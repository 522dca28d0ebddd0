// Features that are mostly 0: ids and values, by ascending id.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace tunesmith {

// A borrowed row of sparse features. Most features are Boolean, so a row whose values are all 1
// need not hold them.
struct SparseRow {
  std::span<const std::uint32_t> ids;
  const float* values = nullptr;  // null: all 1

  std::size_t size() const { return ids.size(); }
  float value(std::size_t i) const { return values == nullptr ? 1.0F : values[i]; }
  // w · h; `weights` has an entry for every id.
  double dot(const double* weights) const {
    double total = 0.0;
    for (std::size_t i = 0; i < ids.size(); ++i) total += weights[ids[i]] * value(i);
    return total;
  }
};

struct SparseVector {
  std::vector<std::uint32_t> ids;
  std::vector<float> values;

  std::size_t size() const { return ids.size(); }
  SparseRow row() const { return {ids, values.data()}; }
  void clear() {
    ids.clear();
    values.clear();
  }

  void add(std::uint32_t id, float value) {
    ids.push_back(id);
    values.push_back(value);
  }
  void add(const SparseRow& row) {
    for (std::size_t i = 0; i < row.size(); ++i) add(row.ids[i], row.value(i));
  }
  // Sorts by id and adds up what has the same id; what comes to 0 is left out.
  void sum_up() {
    std::vector<std::uint32_t> order(ids.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return ids[a] < ids[b]; });
    SparseVector summed;
    for (std::size_t i = 0; i < order.size();) {
      const std::uint32_t id = ids[order[i]];
      double total = 0.0;
      for (; i < order.size() && ids[order[i]] == id; ++i) total += values[order[i]];
      if (total != 0.0) summed.add(id, static_cast<float>(total));
    }
    *this = std::move(summed);
  }
};

}  // namespace tunesmith
