// From a corpus with word links to examples for training, in bounded memory.
//
// 1. Count: the features of all phrase pairs of a block of sentences are sorted and counted; counts
//    wait on disk in parts by their keys, and are added up part by part. Features that are seen
//    more often than the cut-off are kept; their numbers follow the order of their keys.
// 2. Write: the phrase pairs are extracted again, and their features become numbers.
// Blocks come in their order, so the file does not depend on threads.
//
// The file: offsets (u64), features (u32), previous and next (u8: Orientation towards the phrase
// before and after), keys (u64, ascending), the vocabularies and classes that keys speak of.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "base/string_index.hh"
#include "grammar/aligned_corpus.hh"
#include "grammar/extract.hh"
#include "reorder/phrase_features.hh"

namespace tunesmith::reorder {

constexpr std::string_view kExamplesKind = "orientations";
constexpr std::uint32_t kExamplesVersion = 2;

struct ExampleOptions {
  grammar::ExtractionOptions extraction;
  std::uint32_t choice = kSided;  // bits of FeatureChoice
  std::uint32_t cutoff = 10;
  int threads = 1;
};

// The words of a corpus: vocabularies, and classes as PhraseFeatures takes them.
struct ExampleWords {
  const StringIndex &source, &target;
  std::span<const std::uint32_t> source_classes, target_classes;
};

struct ExampleReport {
  std::uint64_t examples = 0, features = 0, entries = 0;
};

// With `keys`, features are those of another set or of a model, whose words and classes `words`
// are; words of the corpus may then be StringIndex::kMissing. `done` is told of sentences, twice of
// each, or once where features are given.
ExampleReport build_examples(const grammar::AlignedCorpus& corpus, const ExampleWords& words,
                             const ExampleOptions& options, std::span<const std::uint64_t> keys,
                             const std::string& path, std::string_view meta,
                             const std::function<void(std::size_t sentences)>& done);

}  // namespace tunesmith::reorder
