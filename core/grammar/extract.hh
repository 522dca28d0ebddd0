// Phrase pairs of a sentence pair that are consistent with its word links (Och et al. 1999; Koehn
// et al. 2003), with their orientations towards the phrases before and after them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "formats/pharaoh.hh"
#include "grammar/orientation.hh"

namespace tunesmith::grammar {

// How a neighbour is recognised: by the word link at the phrase's corner; by a phrase pair (up to
// the length limit) that ends there; or by a block of any length (Galley & Manning 2008).
enum class OrientationModel : std::uint8_t { kWord, kPhrase, kHierarchical };

struct PhrasePair {
  std::uint16_t source_begin = 0, target_begin = 0;
  std::uint8_t source_length = 0, target_length = 0;
  std::uint8_t previous = 0, next = 0;  // Orientation
};

struct ExtractionOptions {
  int max_source_length = 7;
  int max_target_length = 7;
  OrientationModel orientation = OrientationModel::kWord;
};

// The longest phrase that extraction can handle: links of a pair are one 64-bit mask.
constexpr int kMaxExtractedLength = 8;

// Scratch memory of extraction; one per thread.
class PhraseExtractor {
 public:
  explicit PhraseExtractor(const ExtractionOptions& options) : options_(options) {}

  // Appends the pairs of a sentence with `source_size` and `target_size` words; link i joins
  // link_sources[i] and link_targets[i], all inside the sentence.
  void extract(int source_size, int target_size, std::span<const std::uint32_t> link_sources,
               std::span<const std::uint32_t> link_targets, std::vector<PhrasePair>& out);

 private:
  template <typename Visit>
  void each_consistent(int max_source_length, int max_target_length, Visit visit) const;
  void mark_corners(std::span<const std::uint32_t> link_sources,
                    std::span<const std::uint32_t> link_targets);
  std::size_t at(int source, int target) const {
    return static_cast<std::size_t>(source) * (target_size_ + 1) + target;
  }
  std::uint8_t previous_of(const PhrasePair& pair) const;
  std::uint8_t next_of(const PhrasePair& pair) const;

  ExtractionOptions options_;
  int source_size_ = 0, target_size_ = 0;
  // The range of positions that each word is linked to; low > high where there is none.
  std::vector<int> target_low_, target_high_, source_low_, source_high_;
  // Blocks by their corners, at positions between words: where a block ends on both sides, begins
  // on both sides, ends in the target but begins in the source, and the other way round.
  std::vector<bool> ends_, begins_, source_begins_target_ends_, source_ends_target_begins_;
};

}  // namespace tunesmith::grammar
