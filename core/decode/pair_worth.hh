// What a rule is worth behind another: the second of the two parts of a derivation's features; the
// first is rule_worth.hh. Search, lists, graphs, forced decoding and learning all ask here for what
// the place of a phrase behind its predecessor is worth; what language models and lexical features
// that look back say is for each of them to find out, and has its place among the features here
// too.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "decode/phrase_model.hh"

namespace tunesmith::decode {

class PairWorth {
 public:
  explicit PairWorth(const PhraseModel& model)
      : plain_begin_(model.plain_begin()),
        lm_begin_(model.lm_begin()),
        models_(model.language_models()) {
    int score = 0, feature = model.reordering_begin();
    for (const ReorderingShape& shape : model.reordering().shapes()) {
      parts_[shapes_++] = {shape, score, feature};
      score += shape.size();
      feature += shape.features();
      keeps_scores_ |= shape.next;
    }
  }

  // Whether a state must keep the scores of its last phrase towards the next one.
  bool keeps_scores() const { return keeps_scores_; }
  // What a state keeps of them.
  std::span<const float> kept_scores(const LastPhrase& last) const {
    return {last.next_scores[0], static_cast<std::size_t>(shapes_) * grammar::kOrientations};
  }
  // What a state keeps of a phrase of the source words [begin, end) with these orientation scores
  // (or null).
  LastPhrase last(int begin, int end, const float* scores) const {
    LastPhrase last;
    last.begin = static_cast<std::uint16_t>(begin);
    last.end = static_cast<std::uint16_t>(end);
    if (scores == nullptr) return last;
    for (int m = 0; m < shapes_; ++m) {
      const auto& [shape, score, feature] = parts_[m];
      if (!shape.next) continue;
      const float* own = scores + score + shape.next_begin();
      std::copy(own, own + shape.per_direction(), last.next_scores[m]);
    }
    return last;
  }
  // The same without what no continuation can see, so that more states are equal.
  LastPhrase visible(int begin, int end, const float* scores, bool monotone_possible,
                     bool swap_possible) const {
    LastPhrase seen = last(begin, end, scores);
    if (!swap_possible) seen.begin = LastPhrase::kHidden;
    for (auto& own : seen.next_scores) {
      if (!swap_possible) own[grammar::kSwap] = 0.0F;
      if (!monotone_possible) own[grammar::kMonotone] = 0.0F;
    }
    return seen;
  }

  // score + w · h of the jump from the end of the last phrase to the source words [begin, end).
  template <typename Number>
  Number add_jump(Number score, const Number* weights, int last_end, int begin, int end) const {
    visit_jump(last_end, begin, end, [&](PlainFeature feature, int value) {
      score += weights[plain_begin_ + feature] * static_cast<Number>(value);
    });
    return score;
  }
  // score + w · h of the orientation of [begin, end), whose rule has these scores (or null).
  template <typename Number>
  Number add_orientation(Number score, const Number* weights, const LastPhrase& last, int begin,
                         int end, const float* scores) const {
    visit_orientation(last, begin, end, scores, [&](int feature, float value) {
      score += weights[feature] * static_cast<Number>(value);
    });
    return score;
  }
  // features += h of both.
  void add_features(const LastPhrase& last, int begin, int end, const float* scores,
                    double* features) const {
    visit_jump(last.end, begin, end,
               [&](PlainFeature feature, int value) { features[plain_begin_ + feature] += value; });
    visit_orientation(last, begin, end, scores,
                      [&](int feature, float value) { features[feature] += value; });
  }

  // score + w · h of the language models, where value(m) is the natural log of model m.
  template <typename Value>
  double add_language_models(double score, std::span<const double> weights,
                             const Value& value) const {
    for (int m = 0; m < models_; ++m) score += weights[lm_begin_ + m] * value(m);
    return score;
  }
  template <typename Value>
  void add_language_models(const Value& value, double* features) const {
    for (int m = 0; m < models_; ++m) features[lm_begin_ + m] += value(m);
  }

 private:
  template <typename Visit>
  void visit_orientation(const LastPhrase& last, int begin, int end, const float* scores,
                         const Visit& visit) const {
    const grammar::Orientation orientation =
        grammar::orientation_of(last.begin, last.end, begin, end);
    for (int m = 0; m < shapes_; ++m) {
      const auto& [shape, score, feature] = parts_[m];
      const int c = grammar::class_of(orientation, shape.classes);
      const int of_previous = feature + (shape.single ? 0 : c);
      if (shape.previous && scores != nullptr) visit(of_previous, scores[score + c]);
      if (shape.next)
        visit(of_previous + (shape.single ? shape.previous : shape.next_begin()),
              last.next_scores[m][c]);
    }
  }

  // A reordering model, where its scores begin among those of a rule, and its features.
  struct Part {
    ReorderingShape shape;
    int score = 0, feature = 0;
  };
  std::array<Part, ReorderingModel::kMostShapes> parts_;
  int shapes_ = 0;
  bool keeps_scores_ = false;
  int plain_begin_, lm_begin_, models_;
};

}  // namespace tunesmith::decode
