// The features of a phrase pair in its sentence: word pairs that are linked inside it, and the
// source words beside it (Alrajeh & Niranjan 2014, Table 1); by choice also the words at its edges,
// neighbouring words together, and the phrase pair itself. Each but the last also with classes
// instead of words.
//
// Features come in two parts: those of the source words in their place, which all phrase pairs
// there share, and those of the phrase pair. No feature is of both.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hh"
#include "base/string_index.hh"

namespace tunesmith::reorder {

// Part of keys, and so of files.
enum class FeatureTemplate : std::uint8_t {
  kPair = 1,
  kBefore,
  kBehind,
  kClassPair,
  kClassBefore,
  kClassBehind,
  kConstant,
  kEdge,
  kClassEdge,
  kNeighbours,
  kClassNeighbours,
  kPhrase
};

// What a choice of features has besides linked pairs and the words beside them; bits, also in
// files.
enum FeatureChoice : std::uint32_t {
  kSided = 1,       // the side of the phrase on which a word stands matters
  kConstant = 2,    // one that all phrase pairs have
  kEdges = 4,       // first and last words of both sides
  kNeighbours = 8,  // the source word at an edge with the one beside it
  kCrossed = 16,    // the target word at an edge with each source word beside the phrase
  kPhrases = 32,    // the phrase pair itself
  kAllChoices = 63
};

constexpr int kWordBits = 30;
constexpr std::uint64_t kWordMask = (std::uint64_t{1} << kWordBits) - 1;
// What stands beside the first and the last word of a sentence; ids of words are smaller.
constexpr std::uint32_t kBorder = kWordMask;

constexpr std::uint64_t feature_key(FeatureTemplate kind, std::uint64_t rest) {
  return static_cast<std::uint64_t>(kind) << (2 * kWordBits) | rest;
}
constexpr std::uint64_t feature_key(FeatureTemplate kind, std::uint32_t first,
                                    std::uint32_t second) {
  return feature_key(kind, static_cast<std::uint64_t>(first) << kWordBits | second);
}

// The source words at the edges of a phrase, and beside it: ids, kBorder, or
// StringIndex::kMissing for a word that no model knows.
struct SpanWords {
  std::uint32_t before, first, last, behind;
};

class PhraseFeatures {
 public:
  // Classes by word, StringIndex::kMissing for none; empty without class features. `choice` are
  // bits of FeatureChoice. The arrays are borrowed.
  PhraseFeatures(std::span<const std::uint32_t> source_classes,
                 std::span<const std::uint32_t> target_classes, std::uint32_t choice)
      : source_classes_(source_classes), target_classes_(target_classes), choice_(choice) {}

  // The first part. Words that are missing have no features.
  void of_span(const SpanWords& words, std::vector<std::uint64_t>& keys) const;

  // The second part: each link, the edges of the target, and the phrases' words.
  void of_link(std::uint32_t source, std::uint32_t target, std::vector<std::uint64_t>& keys) const;
  void of_edges(const SpanWords& words, std::uint32_t target_first, std::uint32_t target_last,
                std::vector<std::uint64_t>& keys) const;
  void of_phrase(std::span<const std::uint32_t> source, std::span<const std::uint32_t> target,
                 std::vector<std::uint64_t>& keys) const;

 private:
  // Which word of a phrase, or which two.
  enum Edge : std::uint32_t {
    kSourceFirst,
    kSourceLast,
    kTargetFirst,
    kTargetLast,
    kBeforeAndFirst,
    kLastAndBehind,
    kBeforeAndTargetFirst,
    kBehindAndTargetFirst,
    kBeforeAndTargetLast,
    kBehindAndTargetLast
  };
  void beside(FeatureTemplate of_word, FeatureTemplate of_class, std::uint32_t word,
              std::vector<std::uint64_t>& keys) const;
  void edge(Edge which, std::uint32_t word, std::span<const std::uint32_t> classes,
            std::vector<std::uint64_t>& keys) const;
  void both(Edge which, std::uint32_t one, std::span<const std::uint32_t> classes_of_one,
            std::uint32_t other, std::span<const std::uint32_t> classes_of_other,
            std::vector<std::uint64_t>& keys) const;

  std::span<const std::uint32_t> source_classes_, target_classes_;
  std::uint32_t choice_;
};

}  // namespace tunesmith::reorder
