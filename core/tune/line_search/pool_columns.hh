// The dense features of a pool by columns: what a search along a direction reads is contiguous.
#pragma once

#include <cstdint>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

// Slot i of a sentence is its row i; slots are padded with copies of row 0 up to a multiple of
// `kLanes`, so that loops need no tail. A copy never wins over its original: of equals the first
// is taken everywhere.
class PoolColumns {
 public:
  static constexpr std::int64_t kLanes = 8;

  // The rows of a sentence whose value of one feature is smallest and largest.
  struct Ends {
    std::int32_t low, high;  // slots within the sentence, the first of equals
    bool low_alone, high_alone;
  };

  explicit PoolColumns(const PoolView& pool, int threads = 1);

  const PoolView& pool() const { return pool_; }
  int features() const { return pool_.dense_size; }
  std::int64_t sentences() const { return pool_.sentences(); }
  // All slots of all sentences.
  std::int64_t slots() const { return begins_.back(); }
  std::int64_t begin(std::int64_t sentence) const { return begins_[sentence]; }
  std::int64_t size(std::int64_t sentence) const {
    return begins_[sentence + 1] - begins_[sentence];
  }
  // The hypotheses of a sentence, without the padding.
  std::int64_t rows(std::int64_t sentence) const {
    return pool_.offsets[sentence + 1] - pool_.offsets[sentence];
  }
  // [slots] the values of a feature.
  const float* column(int feature) const { return values_.data() + feature * slots(); }
  const Ends& ends(int feature, std::int64_t sentence) const {
    return ends_[feature * sentences() + sentence];
  }
  // [slots] rows of a sentence with the same statistics are of one kind.
  const std::uint32_t* kinds() const { return kinds_.data(); }
  // The number of statistics, with zeros up to a multiple of 4.
  int stats_size() const { return (pool_.stats_size + 3) / 4 * 4; }
  // [stats_size] of a kind.
  const std::int32_t* stats(std::uint32_t kind) const {
    return kind_stats_.data() + static_cast<std::size_t>(kind) * stats_size();
  }

  // target[slot] = Σ_f weights[f] × value, summed in the order of the features.
  void combine(const double* weights, double* target) const;

 private:
  void find_kinds(int threads);

  PoolView pool_;
  std::vector<std::int64_t> begins_;
  std::vector<float> values_;
  std::vector<Ends> ends_;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::int32_t> kind_stats_;
};

template <typename Slope>
PoolColumns::Ends find_ends(const Slope* values, std::int64_t size) {
  PoolColumns::Ends ends{0, 0, true, true};
  for (std::int32_t i = 1; i < size; ++i) {
    if (values[i] <= values[ends.low]) {
      ends.low_alone = values[i] < values[ends.low];
      if (ends.low_alone) ends.low = i;
    }
    if (values[i] >= values[ends.high]) {
      ends.high_alone = values[i] > values[ends.high];
      if (ends.high_alone) ends.high = i;
    }
  }
  return ends;
}

}  // namespace tunesmith::tune
