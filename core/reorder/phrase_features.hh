// The features of a phrase pair in its sentence (Alrajeh & Niranjan 2014, Table 1): word pairs that
// are linked inside it, and the source words beside it; each also with classes instead of words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/string_index.hh"

namespace tunesmith::reorder {

// Part of keys, and so of files.
enum class FeatureTemplate : std::uint8_t {
  kPair = 1,
  kBefore,
  kBehind,
  kClassPair,
  kClassBefore,
  kClassBehind
};

constexpr int kWordBits = 30;
constexpr std::uint64_t kWordMask = (std::uint64_t{1} << kWordBits) - 1;
// What stands beside the first and the last word of a sentence; ids of words are smaller.
constexpr std::uint32_t kBorder = kWordMask;

constexpr std::uint64_t feature_key(FeatureTemplate kind, std::uint32_t source,
                                    std::uint32_t target = 0) {
  return static_cast<std::uint64_t>(kind) << (2 * kWordBits) |
         static_cast<std::uint64_t>(source) << kWordBits | target;
}

class PhraseFeatures {
 public:
  // Classes by word, StringIndex::kMissing for none; empty without class features. Unless `sided`,
  // it does not matter on which side of the phrase a word stands. The arrays are borrowed.
  PhraseFeatures(std::span<const std::uint32_t> source_classes,
                 std::span<const std::uint32_t> target_classes, bool sided)
      : source_classes_(source_classes), target_classes_(target_classes), sided_(sided) {}

  // Words that no model knows (StringIndex::kMissing) have no features.
  void pair(std::uint32_t source, std::uint32_t target, std::vector<std::uint64_t>& keys) const {
    if (source == StringIndex::kMissing || target == StringIndex::kMissing) return;
    keys.push_back(feature_key(FeatureTemplate::kPair, source, target));
    if (source_classes_.empty() || target_classes_.empty()) return;
    const std::uint32_t from = source_classes_[source], to = target_classes_[target];
    if (from == StringIndex::kMissing || to == StringIndex::kMissing) return;
    keys.push_back(feature_key(FeatureTemplate::kClassPair, from, to));
  }
  void before(std::uint32_t word, std::vector<std::uint64_t>& keys) const {
    beside(FeatureTemplate::kBefore, FeatureTemplate::kClassBefore, word, keys);
  }
  void behind(std::uint32_t word, std::vector<std::uint64_t>& keys) const {
    if (sided_)
      beside(FeatureTemplate::kBehind, FeatureTemplate::kClassBehind, word, keys);
    else
      before(word, keys);
  }

 private:
  void beside(FeatureTemplate of_word, FeatureTemplate of_class, std::uint32_t word,
              std::vector<std::uint64_t>& keys) const {
    if (word == StringIndex::kMissing) return;
    keys.push_back(feature_key(of_word, word));
    if (word == kBorder || source_classes_.empty()) return;
    const std::uint32_t its = source_classes_[word];
    if (its != StringIndex::kMissing) keys.push_back(feature_key(of_class, its));
  }

  std::span<const std::uint32_t> source_classes_, target_classes_;
  bool sided_;
};

}  // namespace tunesmith::reorder
