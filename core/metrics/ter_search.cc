#include "metrics/ter_search.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {
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
  const double ratio = rows_ > 0 ? static_cast<double>(columns_) / rows_ : 1.0;
  int beam = kBeamWidth;
  if (kBeamWidth < ratio / 2) beam = static_cast<int>(std::ceil(ratio / 2 + kBeamWidth));
  bands_.resize(static_cast<std::size_t>(rows_) + 1);
  std::size_t cells = 0;
  for (int i = 0; i <= rows_; ++i) {
    const int diagonal = static_cast<int>(std::floor(i * ratio));
    const bool whole = i == 0 || i == rows_;
    bands_[i].first = i == 0 ? 0 : std::max(0, diagonal - beam);
    bands_[i].end = whole ? columns_ + 1 : std::min(columns_ + 1, diagonal + beam);
    bands_[i].start = cells;
    cells += static_cast<std::size_t>(bands_[i].end - bands_[i].first);
  }
  costs_.resize(cells);
  operations_.resize(cells);
  whole_matrix_ = columns_ < kBeamWidth;
}

std::int32_t TerSearch::align() {
  for (int j = 0; j <= columns_; ++j) {
    costs_[j] = j;
    operations_[j] = Operation::kInsert;
  }
  for (int i = 1; i <= rows_; ++i) {
    const Band& above_band = bands_[i - 1];
    const std::int32_t* above_costs = costs_.data() + above_band.start;
    const auto above = [&](int j) {
      return j >= above_band.first && j < above_band.end ? above_costs[j - above_band.first]
                                                         : kInfinite;
    };
    const Band& band = bands_[i];
    std::int32_t* costs = costs_.data() + band.start;
    Operation* operations = operations_.data() + band.start;
    std::int32_t left = kInfinite;
    for (int j = band.first; j < band.end; ++j) {
      // Of equally good operations the first of these: match or substitute, delete, insert.
      std::int32_t cost = kInfinite;
      Operation operation = Operation::kNone;
      if (j > 0) {
        const bool match = words_[i - 1] == reference_[j - 1];
        if (const std::int32_t c = above(j - 1) + (match ? 0 : 1); c < cost) {
          cost = c;
          operation = match ? Operation::kMatch : Operation::kSubstitute;
        }
      }
      if (const std::int32_t c = above(j) + 1; c < cost) {
        cost = c;
        operation = Operation::kDelete;
      }
      if (const std::int32_t c = left + 1; c < cost) {
        cost = c;
        operation = Operation::kInsert;
      }
      left = costs[j - band.first] = cost;
      operations[j - band.first] = operation;
    }
  }
  trace();
  if (whole_matrix_) remember_columns();
  return costs_.back();
}

void TerSearch::trace() {
  aligned_.assign(columns_, -1);
  hypothesis_errors_.assign(rows_ + 1, 0);
  reference_errors_.assign(columns_ + 1, 0);
  int i = rows_, j = columns_;
  while (i > 0 || j > 0) {
    const Operation operation = operations_[bands_[i].start + j - bands_[i].first];
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
  // One cell to the left of column 0 and all others; only those that the next row reads are set.
  row_.resize(static_cast<std::size_t>(columns_) + 2);
  next_.resize(row_.size());
  const auto border = [&](std::vector<std::int32_t>& row, int i) {
    row[bands_[i].first] = kInfinite;
    if (i < rows_)
      for (int j = bands_[i].end; j < bands_[i + 1].end; ++j) row[j + 1] = kInfinite;
  };
  const Band& known = bands_[same];
  std::copy(costs_.begin() + known.start, costs_.begin() + known.start + (known.end - known.first),
            row_.begin() + known.first + 1);
  border(row_, same);
  for (int i = same + 1; i <= rows_; ++i) {
    border(next_, i);
    const std::int32_t* above = row_.data() + 1;
    std::int32_t* costs = next_.data() + 1;
    std::int32_t least = kInfinite;
    const std::uint32_t word = shifted_[i - 1];
    int j = bands_[i].first;
    if (j == 0) {
      least = costs[0] = above[0] + 1;
      ++j;
    }
    for (const int end = bands_[i].end; j < end; ++j) {
      const std::int32_t diagonal = above[j - 1] + (word == reference_[j - 1] ? 0 : 1);
      const std::int32_t cost = std::min({diagonal, above[j] + 1, costs[j - 1] + 1});
      costs[j] = cost;
      least = std::min(least, cost);
    }
    row_.swap(next_);
    // The way to the last cell goes through this row.
    if (least > limit) return least;
  }
  return row_[static_cast<std::size_t>(columns_) + 1];
}

}  // namespace tunesmith::metrics
