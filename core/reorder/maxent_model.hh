// A trained model of orientations: features by their keys, and weights for every class and
// direction.
//
// The file: keys (u64, ascending), weights (f4, by feature, direction, class), vocabularies and
// classes of both sides as in a file of examples, shape (u32: number of classes, whether there is a
// model given the previous phrase, and one given the next, whether the decoder has one feature a
// direction, bits of FeatureChoice).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/array_file.hh"
#include "base/string_index.hh"
#include "grammar/orientation.hh"
#include "reorder/key_index.hh"
#include "reorder/phrase_features.hh"

namespace tunesmith::reorder {

constexpr std::string_view kMaxentKind = "reorder-model";
constexpr std::uint32_t kMaxentVersion = 2;

class MaxentModel {
 public:
  // Throws InputError for a file that is no such model.
  explicit MaxentModel(const std::string& path);

  const std::string& path() const { return file_.path(); }
  std::string_view meta() const { return file_.text("meta"); }
  void give_back() const { file_.give_back(); }

  const StringIndex& source() const { return source_; }
  const StringIndex& target() const { return target_; }
  const PhraseFeatures& features() const { return features_; }
  std::span<const std::uint64_t> keys() const { return keys_; }
  std::span<const float> weights() const { return weights_; }

  grammar::OrientationClasses classes() const { return classes_; }
  bool previous() const { return previous_; }
  bool next() const { return next_; }
  bool single() const { return single_; }
  // Scores of a phrase pair: classes × directions.
  int scores() const { return static_cast<int>(classes_) * (previous_ + next_); }

  // w · φ, by direction and class.
  using Sums = std::array<double, 2 * grammar::kOrientations>;
  // Adds the weights of features; of those that come twice one counts. Reorders `keys`.
  void add(std::span<std::uint64_t> keys, Sums& sums) const;
  // Natural logs of the probabilities of all classes, direction by direction.
  void log_probabilities(const Sums& sums, float* out) const;

 private:
  ArrayFile file_;
  StringIndex source_, target_;
  std::span<const std::uint64_t> keys_;
  std::span<const float> weights_;
  std::span<const std::uint32_t> source_classes_, target_classes_;
  grammar::OrientationClasses classes_ = grammar::OrientationClasses::kMsd;
  bool previous_ = false, next_ = false, single_ = false;
  PhraseFeatures features_;
  KeyIndex index_;
};

}  // namespace tunesmith::reorder
