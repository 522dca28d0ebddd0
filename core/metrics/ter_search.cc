#include "metrics/ter_search.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "metrics/symbol_tables.hh"

namespace tunesmith {
namespace {

// Tercom's limits, and one of sacreBLEU's (kMaxTries).
constexpr int kMaxShiftSize = 10;
constexpr int kMaxShiftDistance = 50;
constexpr int kBeamWidth = 25;
constexpr int kMaxTries = 1000;

// Out of the beam; one more still fits.
constexpr std::int32_t kInfinite = std::numeric_limits<std::int32_t>::max() / 2;

}  // namespace

bool TerSearch::Shift::better_than(const Shift& other) const {
  return std::make_tuple(gain, length, -start, -target) >
         std::make_tuple(other.gain, other.length, -other.start, -other.target);
}

std::int32_t TerSearch::edits(std::span<const std::uint32_t> hypothesis,
                              std::span<const std::uint32_t> reference, std::uint32_t symbols) {
  rows_ = static_cast<int>(hypothesis.size());
  columns_ = static_cast<int>(reference.size());
  if (columns_ == 0) return rows_;
  words_.assign(hypothesis.begin(), hypothesis.end());
  reference_ = reference;
  prepare_beam();
  if (whole_matrix_) {
    places_.assign(symbols, 0);
    for (int j = 0; j < columns_; ++j) places_[reference[j]] |= std::uint64_t{1} << j;
  }
  tried_ = 0;
  for (std::int32_t shifts = 0;; ++shifts) {
    const std::int32_t distance = align();
    if (distance == 0) return shifts;
    Shift best;
    if (!find_shift(distance, best) || best.gain <= 0) return shifts + distance;
    perform(best, shifted_);
    words_.swap(shifted_);
  }
}

void TerSearch::prepare_beam() {
  ratio_ = rows_ > 0 ? static_cast<double>(columns_) / rows_ : 1.0;
  beam_ = kBeamWidth;
  if (kBeamWidth < ratio_ / 2) beam_ = static_cast<int>(std::ceil(ratio_ / 2 + kBeamWidth));
  whole_matrix_ = columns_ < kBeamWidth;
}

int TerSearch::first_column(int row) const {
  return std::max(0, static_cast<int>(std::floor(row * ratio_)) - beam_);
}

int TerSearch::end_column(int row) const {
  if (row == rows_) return columns_ + 1;
  return std::min(columns_ + 1, static_cast<int>(std::floor(row * ratio_)) + beam_);
}

std::int32_t TerSearch::align() {
  const std::size_t width = static_cast<std::size_t>(columns_) + 1;
  costs_.assign((rows_ + 1) * width, kInfinite);
  operations_.assign((rows_ + 1) * width, Operation::kNone);
  for (int j = 0; j <= columns_; ++j) {
    costs_[j] = j;
    operations_[j] = Operation::kInsert;
  }
  for (int i = 1; i <= rows_; ++i) {
    const std::int32_t* above = costs_.data() + (i - 1) * width;
    std::int32_t* costs = costs_.data() + i * width;
    Operation* operations = operations_.data() + i * width;
    for (int j = first_column(i), end = end_column(i); j < end; ++j) {
      // Of equally good operations the first of these: match or substitute, delete, insert.
      std::int32_t cost = kInfinite;
      Operation operation = Operation::kNone;
      if (j > 0) {
        const bool match = words_[i - 1] == reference_[j - 1];
        if (const std::int32_t c = above[j - 1] + (match ? 0 : 1); c < cost) {
          cost = c;
          operation = match ? Operation::kMatch : Operation::kSubstitute;
        }
      }
      if (const std::int32_t c = above[j] + 1; c < cost) {
        cost = c;
        operation = Operation::kDelete;
      }
      if (j > 0) {
        if (const std::int32_t c = costs[j - 1] + 1; c < cost) {
          cost = c;
          operation = Operation::kInsert;
        }
      }
      costs[j] = cost;
      operations[j] = operation;
    }
  }
  trace();
  if (whole_matrix_) remember_columns();
  return costs_[rows_ * width + columns_];
}

void TerSearch::trace() {
  const std::size_t width = static_cast<std::size_t>(columns_) + 1;
  aligned_.assign(columns_, -1);
  hypothesis_errors_.assign(rows_ + 1, 0);
  reference_errors_.assign(columns_ + 1, 0);
  int i = rows_, j = columns_;
  while (i > 0 || j > 0) {
    // Left of the first column only deletions are left, above the first row only insertions.
    const Operation operation = j == 0 ? Operation::kDelete : operations_[i * width + j];
    switch (operation) {
      case Operation::kMatch:
      case Operation::kSubstitute: {
        --i;
        --j;
        aligned_[j] = i;
        const int error = operation == Operation::kSubstitute ? 1 : 0;
        hypothesis_errors_[i + 1] = error;
        reference_errors_[j + 1] = error;
        break;
      }
      case Operation::kDelete:
        --i;
        hypothesis_errors_[i + 1] = 1;
        break;
      default:
        --j;
        aligned_[j] = i - 1;  // the word before
        reference_errors_[j + 1] = 1;
        break;
    }
  }
  for (int k = 0; k < rows_; ++k) hypothesis_errors_[k + 1] += hypothesis_errors_[k];
  for (int k = 0; k < columns_; ++k) reference_errors_[k + 1] += reference_errors_[k];
}

void TerSearch::remember_columns() {
  column_.resize(static_cast<std::size_t>(rows_) + 1);
  column_[0] = {EditColumn{}, columns_};
  for (int i = 0; i < rows_; ++i) {
    column_[i + 1] = column_[i];
    const std::uint64_t equal = words_[i] == SymbolTables::kMissing ? 0 : places_[words_[i]];
    const EditColumn::Step step = column_[i + 1].bits.advance(equal, 1, 0);
    column_[i + 1].distance += static_cast<std::int32_t>(step.plus >> (columns_ - 1) & 1);
    column_[i + 1].distance -= static_cast<std::int32_t>(step.minus >> (columns_ - 1) & 1);
  }
}

bool TerSearch::find_shift(std::int32_t distance, Shift& best) {
  for (int start = 0; start < rows_; ++start) {
    const int from = std::max(0, start - kMaxShiftDistance);
    const int to = std::min(columns_ - 1, start + kMaxShiftDistance);
    for (int reference_start = from; reference_start <= to; ++reference_start) {
      const int most = std::min({kMaxShiftSize, rows_ - start, columns_ - reference_start});
      for (int length = 1; length <= most; ++length) {
        if (words_[start + length - 1] != reference_[reference_start + length - 1]) break;
        if (hypothesis_errors_[start + length] == hypothesis_errors_[start]) continue;
        if (reference_errors_[reference_start + length] == reference_errors_[reference_start])
          continue;
        const int aligned = aligned_[reference_start];
        if (start <= aligned && aligned < start + length) continue;
        try_targets(distance, start, reference_start, length, best);
        if (tried_ >= kMaxTries) return false;
      }
    }
  }
  return true;
}

void TerSearch::try_targets(std::int32_t distance, int start, int reference_start, int length,
                            Shift& best) {
  int previous = -1;
  for (int offset = -1; offset < length; ++offset) {
    const int place = reference_start + offset;
    const int target = place == -1 ? 0 : aligned_[place] + 1;
    if (target == previous) continue;
    previous = target;
    ++tried_;
    Shift shift{0, length, start, target};
    perform(shift, shifted_);
    const std::int32_t limit = distance - std::max(best.gain, 1);
    const std::int32_t shifted = shifted_distance(std::min(start, target), limit);
    shift.gain = distance - shifted;
    if (shifted <= limit && shift.better_than(best)) best = shift;
  }
}

void TerSearch::perform(const Shift& shift, std::vector<std::uint32_t>& out) const {
  const auto words = words_.begin();
  const auto block = words + shift.start;
  const auto block_end = block + shift.length;
  out.assign(words_.begin(), words_.end());
  if (shift.target < shift.start) {
    const auto rest = std::copy(block, block_end, out.begin() + shift.target);
    std::copy(words + shift.target, block, rest);
    return;
  }
  // A target inside the block counts from the block's end.
  int target = shift.target;
  if (target <= shift.start + shift.length) target = std::min(target + shift.length, rows_);
  const auto rest = std::copy(block_end, words + target, out.begin() + shift.start);
  std::copy(block, block_end, rest);
}

std::int32_t TerSearch::shifted_distance(int same, std::int32_t limit) {
  return whole_matrix_ ? distance_by_bits(same) : distance_by_rows(same, limit);
}

std::int32_t TerSearch::distance_by_bits(int same) {
  Column column = column_[same];
  for (int i = same; i < rows_; ++i) {
    const std::uint64_t equal = shifted_[i] == SymbolTables::kMissing ? 0 : places_[shifted_[i]];
    const EditColumn::Step step = column.bits.advance(equal, 1, 0);
    column.distance += static_cast<std::int32_t>(step.plus >> (columns_ - 1) & 1);
    column.distance -= static_cast<std::int32_t>(step.minus >> (columns_ - 1) & 1);
  }
  return column.distance;
}

std::int32_t TerSearch::distance_by_rows(int same, std::int32_t limit) {
  const std::size_t width = static_cast<std::size_t>(columns_) + 1;
  row_.assign(costs_.begin() + same * width, costs_.begin() + (same + 1) * width);
  for (int i = same + 1; i <= rows_; ++i) {
    next_.assign(width, kInfinite);
    std::int32_t least = kInfinite;
    const std::uint32_t word = shifted_[i - 1];
    int j = first_column(i);
    if (j == 0) {
      least = next_[0] = row_[0] + 1;
      ++j;
    }
    for (const int end = end_column(i); j < end; ++j) {
      const std::int32_t diagonal = row_[j - 1] + (word == reference_[j - 1] ? 0 : 1);
      const std::int32_t cost = std::min({diagonal, row_[j] + 1, next_[j - 1] + 1});
      next_[j] = cost;
      least = std::min(least, cost);
    }
    row_.swap(next_);
    // The way to the last cell goes through this row.
    if (least > limit) return least;
  }
  return row_[columns_];
}

}  // namespace tunesmith
