// The number of edits of TER: insertions, deletions, substitutions, and shifts of blocks of words.
//
// The search is greedy, as in Tercom and sacreBLEU:
//   1. Align hypothesis and reference by edit distance, within a beam around the diagonal.
//   2. Try to move every block of the hypothesis that also stands elsewhere in the reference, if
//      both places are in error now, to each place that the alignment suggests.
//   3. Keep the shift that lowers the distance most (then: the longest block, the earliest block,
//      the earliest target) and go back to 1, until none does or 1000 shifts have been tried.
// Only shifts that can win are computed to the end; this changes no result, because a shift that
// does not lower the distance is never kept.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/edit_distance.hh"

namespace tunesmith::metrics {

// Scratch memory and search for one pair after the other; one object per thread.
class TerSearch {
 public:
  // Words are numbers below `symbols`; those of the hypothesis may be kMissing, which equals none.
  std::int32_t edits(std::span<const std::uint32_t> hypothesis,
                     std::span<const std::uint32_t> reference, std::uint32_t symbols);

 private:
  enum class Operation : std::uint8_t { kNone, kMatch, kSubstitute, kDelete, kInsert };

  // A shift: `length` words from `start` to before `target`.
  struct Shift {
    std::int32_t gain = 0;
    int length = 0, start = 0, target = 0;
    bool better_than(const Shift& other) const;
  };

  void prepare_beam();
  // The matrix of `words_`, its distance, and the alignment that it implies.
  std::int32_t align();
  void trace();
  void remember_columns();
  // Looks for the best shift; false if the limit on tries was reached.
  bool find_shift(std::int32_t distance, Shift& best);
  void try_targets(std::int32_t distance, int start, int reference_start, int length, Shift& best);
  void perform(const Shift& shift, std::vector<std::uint32_t>& out) const;
  // The distance of `shifted_`, whose first `same` words are those of `words_`; anything above
  // `limit` if it is above that.
  std::int32_t shifted_distance(int same, std::int32_t limit);
  std::int32_t distance_by_bits(int same);
  std::int32_t distance_by_rows(int same, std::int32_t limit);

  std::vector<std::uint32_t> words_, shifted_;
  std::span<const std::uint32_t> reference_;
  int rows_ = 0, columns_ = 0;  // words of the hypothesis and the reference
  bool whole_matrix_ = false;   // the beam leaves nothing out, so plain edit distance will do
  int tried_ = 0;

  // The cells of a row that are in the beam, and where they stand in the matrix of `words_`.
  struct Band {
    int first, end;
    std::size_t start;
  };
  std::vector<Band> bands_;
  std::vector<std::int32_t> costs_;
  std::vector<Operation> operations_;
  std::vector<std::int32_t> row_, next_;  // of `shifted_`, with all columns
  std::vector<int> aligned_;              // for each reference word, the hypothesis' word, −1 …
  std::vector<int> hypothesis_errors_;    // errors before each word
  std::vector<int> reference_errors_;
  std::vector<std::uint64_t> places_;  // of each symbol in the reference, as bits
  struct Column {
    EditColumn bits;
    std::int32_t distance;
  };
  std::vector<Column> column_;  // after each word of words_
};

}  // namespace tunesmith::metrics
