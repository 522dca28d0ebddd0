// Where a sentence pair is updated: the rules of Yu et al. (2013), §3, over what the beam and
// forced decoding have in every bin. All give the number of a bin, or 0 where there is nothing to
// mend.
#pragma once

#include <cstdint>
#include <span>

namespace tunesmith::learn {

enum class UpdateMethod {
  kMaxViolation,  // at the bin where the best bad derivation is furthest above the best good one
  kEarly,         // where no good derivation can come back
  kStandard,      // at the end, towards the best good derivation, which the beam may have lost
  kLocal,         // at the end, towards the derivation of the beam with the best BLEU+1
  kExpected,      // up the gradient of the beam's expected BLEU; needs no good derivation
  kRanking        // until better translations of the beam score above worse ones; the same
};

// Bin B_i, which covers i source words.
struct UpdateBin {
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;

  // d⁺_i, equation (3): the last edge of the best good derivation; and w · Φ(d⁺_i).
  std::uint32_t good = kNobody;
  double good_score = 0.0;
  // d⁻_i, equation (4): the best bad state of the beam; and w · Φ(d⁻_i).
  std::uint32_t bad = kNobody;
  double bad_score = 0.0;
  // A good derivation is in the beam.
  bool survives = false;

  // −w · ΔΦ(d⁺_i, d⁻_i)
  double violation() const { return bad_score - good_score; }
  // Whether an update is valid here: the good derivation is not ahead by more than the margin.
  bool violates(double margin) const {
    return good != kNobody && bad != kNobody && violation() >= -margin;
  }
};

// Equation (6): the bin of the largest violation; of equals the last.
int max_violation_bin(std::span<const UpdateBin> bins, double margin);

// §3.2, the soft early update: as many bins without a good derivation as a phrase is long (or
// fewer, at the end) mean that none can come back; the first of them that violates. The paper takes
// the first, and says that it is valid. It need not be: a beam prunes by what is still to come too,
// so a derivation that it has lost may be ahead so far.
int early_bin(std::span<const UpdateBin> bins, int phrase_limit, double margin);

// Equation (8): the last bin, valid or not.
int standard_bin(std::span<const UpdateBin> bins);

// The bin of a method; 0 for those that compare whole translations.
int update_bin(UpdateMethod method, std::span<const UpdateBin> bins, int phrase_limit,
               double margin);

}  // namespace tunesmith::learn
