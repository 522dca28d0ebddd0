// A walk over weights along lines: the scores and winners here, and where on a line winners change.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/line_search/line_sweep.hh"
#include "tune/line_search/list_envelope.hh"
#include "tune/line_search/pool_columns.hh"

namespace tunesmith::tune {

class LineWalk {
 public:
  // `extra` ([slots], or nothing) is added to the scores: a loss, to find what violates a margin
  // most. Both must outlive the walk.
  explicit LineWalk(const PoolColumns& columns, std::span<const double> extra = {});

  // Goes to a point.
  void start(const double* weights);
  // w += step · d.
  void move(int feature, double step);
  void move(const double* direction, double step);

  // Finds all changes within `range`, which contains 0, along a feature or a direction.
  void look_along(int feature, Range range);
  void look_along(const double* direction, Range range);
  // What the last look found: changes at α ≤ 0 and at α ≥ 0, in no order. To sort and to keep.
  std::vector<Change>& left() { return left_; }
  std::vector<Change>& right() { return right_; }

  const PoolColumns& columns() const { return columns_; }
  const std::vector<double>& weights() const { return weights_; }
  // [slots] w · h, and what is added to it.
  const double* scores() const { return scores_.data(); }
  // [slots] d · h of the last direction that was not a feature.
  const double* slopes() const { return slopes_.data(); }
  // The slot of the highest score of a sentence, of equals the first.
  std::uint32_t winner(std::int64_t sentence) const {
    return static_cast<std::uint32_t>(columns_.begin(sentence) + winners_[sentence]);
  }

 private:
  template <typename Slope, typename EndsOf>
  void look(const Slope* slopes, const EndsOf& ends_of, Range range);
  void score();
  void settle();

  const PoolColumns& columns_;
  std::span<const double> extra_;
  std::vector<double> weights_;
  std::vector<double> scores_;         // [slots]
  std::vector<double> slopes_;         // [slots]
  std::vector<std::int32_t> winners_;  // [sentences] rows
  ListEnvelope envelope_;
  std::vector<Change> left_, right_;
};

}  // namespace tunesmith::tune
