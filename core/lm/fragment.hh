// Pieces of target text whose left neighbour is not known yet: phrases and rules.
//
// A Fragment keeps
//   left        its first words, as long as words further left could change their probabilities
//               other than by back-off weights (each prefix is an n-gram that extends left);
//   left_score  the score that these words got without their left context;
//   full        whether the words behind `left` are settled but for back-off weights; otherwise
//               the fragment is nothing but `left`;
//   right       the state at its end.
// Two fragments that are equal behave the same in every surrounding.
//
// When the words to the left become known (extend, or Scorer::fragment), the words of `left` are
// scored again; behind them only the back-off weights of contexts longer than `left` remain to
// be paid. The cost does not depend on the length of the fragment.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lm/model.hh"

namespace tunesmith::lm {

struct Fragment {
  State right;
  float left_score = 0.0f;
  std::uint8_t left_length = 0;
  bool full = false;
  WordId left[kMaxOrder - 1] = {};

  friend bool operator==(const Fragment& a, const Fragment& b) {
    return a.right == b.right && a.full == b.full && a.left_length == b.left_length &&
           std::equal(a.left, a.left + a.left_length, b.left);
  }
  std::uint64_t hash() const {
    return hash_bytes(left, left_length * sizeof(WordId),
                      (static_cast<std::uint64_t>(right.node) << 1) | full);
  }
};

// Scores a rule's target side from left to right: words and fragments in any order. The score of
// a Fragment that is put in is not counted again, only what its surroundings change.
class Scorer {
 public:
  explicit Scorer(const Model& model) : model_(model) {}

  // Call first, if at all: what follows stands at the start of a sentence.
  void begin_sentence() {
    fragment_.right = model_.begin_state();
    fragment_.full = true;
  }

  void word(WordId word) {
    const State in = fragment_.right;
    const WordScore scored = model_.full_score(in, word, fragment_.right);
    score_ += scored.log10;
    if (fragment_.full) return;
    const int length = fragment_.left_length;
    if (scored.extends_left && scored.length == length + 1 && length + 1 < model_.order()) {
      fragment_.left[fragment_.left_length++] = word;
      fragment_.left_score += scored.log10;
    } else {
      fragment_.full = true;
    }
  }

  void fragment(const Fragment& inner) {
    if (fragment_.left_length == 0 &&
        !fragment_.full) {  // nothing is on its left: it stays as it is
      fragment_ = inner;
      return;
    }
    for (int i = 0; i < inner.left_length; ++i) word(inner.left[i]);
    score_ -= inner.left_score;
    if (!inner.full) return;
    score_ += model_.backoff_to(fragment_.right, inner.left_length);
    fragment_.full = true;
    fragment_.right = inner.right;
  }

  // log10 of what has been scored: words with the context known so far, and for fragments the
  // change against their own scores.
  float score() const { return score_; }
  const Fragment& result() const { return fragment_; }
  const Model& model() const { return model_; }

 private:
  const Model& model_;
  Fragment fragment_;
  float score_ = 0.0f;
};

// Puts a fragment behind a known state: what its score changes by (log10), and the state after it.
inline float extend(const Model& model, State in, const Fragment& fragment, State& out) {
  float change = -fragment.left_score;
  State state = in;
  for (int i = 0; i < fragment.left_length; ++i)
    change += model.score(state, fragment.left[i], state);
  if (fragment.full) {
    change += model.backoff_to(state, fragment.left_length);
    state = fragment.right;
  }
  out = state;
  return change;
}

}  // namespace tunesmith::lm
