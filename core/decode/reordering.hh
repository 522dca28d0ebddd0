// What a reordering model is to search: a vector of orientation scores for every rule in its place,
// and what a state must keep of the last phrase.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decode/arena.hh"
#include "decode/phrase_rule.hh"
#include "features/word_atoms.hh"
#include "grammar/orientation.hh"

namespace tunesmith::decode {

// The order of a rule's scores: classes of orientation given the previous phrase, given the next
// one, or both, one after the other. Each is a feature of the model; or all of a direction are one
// feature, as there is one orientation only.
struct ReorderingShape {
  grammar::OrientationClasses classes = grammar::OrientationClasses::kMsd;
  bool previous = false;
  bool next = false;
  bool single = false;

  int per_direction() const { return static_cast<int>(classes); }
  int size() const { return (previous + next) * per_direction(); }
  int features() const { return single ? previous + next : size(); }
  // Index of the first score of the model of the next phrase.
  int next_begin() const { return previous ? per_direction() : 0; }
};

// Where a rule stands: the source words [begin, end) of a sentence.
struct RulePlace {
  std::span<const std::string> sentence;
  const std::string* after = nullptr;  // the word behind the last one; null: the sentence ends
  int begin = 0, end = 0;

  // Any word of the sentence, or what stands before or behind it.
  std::string_view word(int i) const {
    if (i < 0) return features::kSentenceBegin;
    if (i < static_cast<int>(sentence.size())) return sentence[i];
    return after == nullptr ? features::kSentenceEnd : std::string_view(*after);
  }
};

// A place, and what a reordering model has to say of it whatever rule comes there.
struct PlaceReordering {
  RulePlace place;
  std::vector<std::uint32_t> source;     // the words of the place, as the model numbers them
  std::uint32_t before = 0, behind = 0;  // those beside it
  std::array<double, 2 * grammar::kOrientations> sums{};
};

class ReorderingModel {
 public:
  static constexpr int kMostShapes = 2;

  explicit ReorderingModel(ReorderingShape shape) : shapes_{shape} {}
  // Several models as one, kMostShapes at the most: their scores stand one behind the other.
  explicit ReorderingModel(std::vector<ReorderingShape> shapes) : shapes_(std::move(shapes)) {}
  virtual ~ReorderingModel() = default;

  std::span<const ReorderingShape> shapes() const { return shapes_; }
  // How many scores a rule has.
  int size() const {
    int sum = 0;
    for (const ReorderingShape& shape : shapes_) sum += shape.size();
    return sum;
  }
  int features() const {
    int sum = 0;
    for (const ReorderingShape& shape : shapes_) sum += shape.features();
    return sum;
  }
  // Whether unknown words keep their order: side by side they are one phrase, and it has the scores
  // of rare words, as prescribed words have. Otherwise each is a phrase without scores, as in
  // Moses.
  virtual bool keeps_unknown_order() const { return false; }
  // The scores of a rule, wherever it stands; null where it has none.
  virtual const float* of_rule(const PhraseRule& rule) const = 0;
  // Whether the place of a rule has a say: then its scores are those of `in_place`, in `arena`.
  virtual bool sees_place() const { return false; }
  virtual PlaceReordering at(const RulePlace& place) const { return {.place = place}; }
  virtual const float* in_place(const PhraseRule& rule, const PlaceReordering& /*place*/,
                                Arena& /*arena*/) const {
    return of_rule(rule);
  }
  // See MappedFile.
  virtual void give_back() const {}

 private:
  std::vector<ReorderingShape> shapes_;
};

// What a state keeps of its last phrase for the features of the next one.
struct LastPhrase {
  static constexpr std::uint16_t kHidden = 0xFFFF;

  std::uint16_t begin = kHidden;  // hidden when no swap with the phrase can follow
  std::uint16_t end = 0;
  // Its scores given the next phrase, by model and class; 0 where it has none or they cannot
  // matter.
  float next_scores[ReorderingModel::kMostShapes][grammar::kOrientations] = {};

  bool operator==(const LastPhrase&) const = default;
};

}  // namespace tunesmith::decode
