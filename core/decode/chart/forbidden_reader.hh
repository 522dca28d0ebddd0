// Forbidden phrases in pieces of target text whose left neighbours are not known yet. A piece keeps
//   left    its first words, as long as they stand in a forbidden phrase one after the other, and
//           which of them are prescribed;
//   full    whether there are words behind them: what stands left of the piece cannot reach those;
//   right   the state behind its last word, as if nothing stood before the piece.
// Such a piece is a Fragment of one more language model to those who compare states of items.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/forbidden_phrases.hh"
#include "lm/fragment.hh"

namespace tunesmith::decode {

class ForbiddenReader {
 public:
  explicit ForbiddenReader(const ForbiddenPhrases& phrases) : phrases_(phrases) {}

  // Call first, if at all: nothing stands before what follows.
  void begin_sentence() { full_ = true; }

  void word(std::uint32_t word, bool prescribed) {
    if (refused()) return;
    state_ = phrases_.after(state_, word, prescribed);
    if (full_) return;
    const std::uint32_t longer = phrases_.infix(left_, word);
    if (longer == ForbiddenPhrases::kNoInfix) {
      full_ = true;
    } else {
      left_ = longer;
      prescribed_ = prescribed_ << 1 | static_cast<std::uint64_t>(prescribed);
    }
  }

  void fragment(const lm::Fragment& inner) {
    std::uint32_t words[ForbiddenPhrases::kMostWords];
    int size = 0;
    for (std::uint32_t infix = inner.left[0]; infix != 0; infix = phrases_.shorter_infix(infix))
      words[size++] = phrases_.infix_word(infix);
    const std::uint64_t prescribed =
        static_cast<std::uint64_t>(inner.left[2]) << 32 | inner.left[1];
    while (size-- > 0) word(words[size], (prescribed >> size & 1) != 0);
    if (!inner.full || refused()) return;
    state_ = inner.right.node;
    full_ = true;
  }

  bool refused() const { return state_ == ForbiddenPhrases::kRefused; }
  lm::Fragment result() const {
    lm::Fragment piece;
    piece.right.node = state_;
    piece.full = full_;
    piece.left_length = 3;
    piece.left[0] = left_;
    piece.left[1] = static_cast<std::uint32_t>(prescribed_);
    piece.left[2] = static_cast<std::uint32_t>(prescribed_ >> 32);
    return piece;
  }

 private:
  const ForbiddenPhrases& phrases_;
  std::uint32_t state_ = ForbiddenPhrases::kStart;
  std::uint32_t left_ = 0;        // an infix
  std::uint64_t prescribed_ = 0;  // of the words of `left`, the last one in the lowest bit
  bool full_ = false;
};

}  // namespace tunesmith::decode
