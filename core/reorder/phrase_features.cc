#include "reorder/phrase_features.hh"

namespace tunesmith::reorder {
namespace {

constexpr std::uint32_t kNone = StringIndex::kMissing;

// The class of a word, or of the border; kNone if it has none.
std::uint32_t class_or_none(std::uint32_t word, std::span<const std::uint32_t> classes) {
  if (word == kBorder) return kBorder;
  return classes.empty() ? kNone : classes[word];
}

// Two words and where they stand; together more than a key has room for.
std::uint64_t hashed(std::uint32_t which, std::uint32_t one, std::uint32_t other) {
  return hash_combine(hash_combine(which, one), other) >> 4;
}

}  // namespace

void PhraseFeatures::of_span(const SpanWords& words, std::vector<std::uint64_t>& keys) const {
  const bool sided = (choice_ & FeatureChoice::kSided) != 0;
  beside(FeatureTemplate::kBefore, FeatureTemplate::kClassBefore, words.before, keys);
  beside(sided ? FeatureTemplate::kBehind : FeatureTemplate::kBefore,
         sided ? FeatureTemplate::kClassBehind : FeatureTemplate::kClassBefore, words.behind, keys);
  if ((choice_ & FeatureChoice::kConstant) != 0)
    keys.push_back(feature_key(FeatureTemplate::kConstant, 0));
  if ((choice_ & FeatureChoice::kEdges) != 0) {
    edge(kSourceFirst, words.first, source_classes_, keys);
    edge(kSourceLast, words.last, source_classes_, keys);
  }
  if ((choice_ & FeatureChoice::kNeighbours) != 0) {
    both(kBeforeAndFirst, words.before, source_classes_, words.first, source_classes_, keys);
    both(kLastAndBehind, words.last, source_classes_, words.behind, source_classes_, keys);
  }
}

void PhraseFeatures::of_link(std::uint32_t source, std::uint32_t target,
                             std::vector<std::uint64_t>& keys) const {
  if (source == kNone || target == kNone) return;
  keys.push_back(feature_key(FeatureTemplate::kPair, source, target));
  if (source_classes_.empty() || target_classes_.empty()) return;
  const std::uint32_t from = source_classes_[source], to = target_classes_[target];
  if (from == kNone || to == kNone) return;
  keys.push_back(feature_key(FeatureTemplate::kClassPair, from, to));
}

void PhraseFeatures::of_edges(const SpanWords& words, std::uint32_t target_first,
                              std::uint32_t target_last, std::vector<std::uint64_t>& keys) const {
  if ((choice_ & FeatureChoice::kEdges) != 0) {
    edge(kTargetFirst, target_first, target_classes_, keys);
    edge(kTargetLast, target_last, target_classes_, keys);
  }
  if ((choice_ & FeatureChoice::kCrossed) != 0) {
    const auto cross = [&](Edge which, std::uint32_t source, std::uint32_t target) {
      both(which, source, source_classes_, target, target_classes_, keys);
    };
    cross(kBeforeAndTargetFirst, words.before, target_first);
    cross(kBehindAndTargetFirst, words.behind, target_first);
    cross(kBeforeAndTargetLast, words.before, target_last);
    cross(kBehindAndTargetLast, words.behind, target_last);
  }
}

void PhraseFeatures::of_phrase(std::span<const std::uint32_t> source,
                               std::span<const std::uint32_t> target,
                               std::vector<std::uint64_t>& keys) const {
  if ((choice_ & FeatureChoice::kPhrases) == 0) return;
  std::uint64_t hash = source.size();
  for (const auto words : {source, target})
    for (const std::uint32_t word : words) {
      if (word == kNone) return;
      hash = hash_combine(hash, word);
    }
  keys.push_back(feature_key(FeatureTemplate::kPhrase, hash >> 4));
}

void PhraseFeatures::beside(FeatureTemplate of_word, FeatureTemplate of_class, std::uint32_t word,
                            std::vector<std::uint64_t>& keys) const {
  if (word == kNone) return;
  keys.push_back(feature_key(of_word, word, 0));
  if (word == kBorder || source_classes_.empty()) return;
  const std::uint32_t its = source_classes_[word];
  if (its != kNone) keys.push_back(feature_key(of_class, its, 0));
}

void PhraseFeatures::edge(Edge which, std::uint32_t word, std::span<const std::uint32_t> classes,
                          std::vector<std::uint64_t>& keys) const {
  if (word == kNone) return;
  keys.push_back(feature_key(FeatureTemplate::kEdge, word, which));
  const std::uint32_t its = class_or_none(word, classes);
  if (its != kNone) keys.push_back(feature_key(FeatureTemplate::kClassEdge, its, which));
}

void PhraseFeatures::both(Edge which, std::uint32_t one,
                          std::span<const std::uint32_t> classes_of_one, std::uint32_t other,
                          std::span<const std::uint32_t> classes_of_other,
                          std::vector<std::uint64_t>& keys) const {
  if (one == kNone || other == kNone) return;
  keys.push_back(feature_key(FeatureTemplate::kNeighbours, hashed(which, one, other)));
  if (classes_of_one.empty() || classes_of_other.empty()) return;
  const std::uint32_t its = class_or_none(one, classes_of_one);
  const std::uint32_t others = class_or_none(other, classes_of_other);
  if (its != kNone && others != kNone)
    keys.push_back(feature_key(FeatureTemplate::kClassNeighbours, hashed(which, its, others)));
}

}  // namespace tunesmith::reorder
