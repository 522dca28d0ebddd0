// The phrase table: source phrases to rules (target phrase, scores, links, counts, reordering),
// in one memory-mapped file.
//
// Source phrases are found by a 64-bit key, the chained hash of their word ids; keys are sorted,
// so a look-up is a binary search. Rules of a source phrase stand together, best first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/array_file.hh"
#include "base/hash.hh"
#include "base/string_index.hh"

namespace tunesmith {

// The key of a source phrase grows word by word from kEmptyPhrase.
constexpr std::uint64_t kEmptyPhrase = 0x70687261736573ULL;
constexpr std::uint64_t extend_phrase(std::uint64_t key, std::uint32_t word) {
  return hash_combine(key, word);
}
inline std::uint64_t phrase_key(std::span<const std::uint32_t> words) {
  std::uint64_t key = kEmptyPhrase;
  for (const std::uint32_t word : words) key = extend_phrase(key, word);
  return key;
}

// A link inside a phrase pair: source position in the high byte, target position in the low one.
constexpr std::uint16_t pack_link(int source, int target) {
  return static_cast<std::uint16_t>(source << 8 | target);
}

struct RuleRange {
  std::uint64_t begin = 0, end = 0;
  bool empty() const { return begin == end; }
};

class PhraseTable {
 public:
  static constexpr std::string_view kKind = "phrase-table";
  static constexpr std::uint32_t kVersion = 1;

  explicit PhraseTable(const std::string& path);

  const std::string& path() const { return file_.path(); }
  // Tells tables apart whose rules have other numbers.
  std::uint64_t fingerprint() const { return file_.fingerprint(); }
  std::uint64_t sources() const { return keys_.size(); }
  std::uint64_t rules() const { return target_ends_.size(); }
  int scores_per_rule() const { return score_count_; }
  int reordering_per_rule() const { return reordering_count_; }
  // A JSON object with the names of the scores and how the table was made.
  std::string_view meta() const { return file_.text("meta"); }
  std::span<const std::uint64_t> keys() const { return keys_; }

  const StringIndex& source_vocabulary() const { return source_vocabulary_; }
  const StringIndex& target_vocabulary() const { return target_vocabulary_; }

  // The number of a source phrase, or sources().
  std::uint64_t find_source(std::uint64_t key) const {
    const auto at = std::lower_bound(keys_.begin(), keys_.end(), key);
    return at == keys_.end() || *at != key ? sources() : at - keys_.begin();
  }
  RuleRange find(std::uint64_t key) const {
    const std::uint64_t source = find_source(key);
    return source == sources() ? RuleRange{} : rules_of(source);
  }
  RuleRange rules_of(std::uint64_t source) const {
    return {source == 0 ? 0 : rule_ends_[source - 1], rule_ends_[source]};
  }
  // The number of the source phrase of a rule.
  std::uint64_t source_of(std::uint64_t rule) const {
    return std::upper_bound(rule_ends_.begin(), rule_ends_.end(), rule) - rule_ends_.begin();
  }
  std::span<const std::uint32_t> source(std::uint64_t source) const {
    return slice(source_words_, source_ends_, source);
  }
  std::span<const std::uint32_t> target(std::uint64_t rule) const {
    return slice(target_words_, target_ends_, rule);
  }
  // Natural logarithms.
  const float* scores(std::uint64_t rule) const { return &scores_[rule * score_count_]; }
  std::span<const std::uint16_t> links(std::uint64_t rule) const {
    return slice(links_, link_ends_, rule);
  }
  // How often the target phrase, the source phrase and the pair were extracted.
  const float* counts(std::uint64_t rule) const { return &counts_[rule * 3]; }
  // Natural logarithms, previous orientations first; null where the table has no reordering model.
  const float* reordering(std::uint64_t rule) const {
    return reordering_count_ == 0 ? nullptr : &reordering_[rule * reordering_count_];
  }

  // Compares checksums and looks at every index: after it no look-up can leave the file.
  void verify() const;

 private:
  template <typename T>
  static std::span<const T> slice(std::span<const T> items, std::span<const std::uint64_t> ends,
                                  std::uint64_t i) {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return items.subspan(begin, ends[i] - begin);
  }

  ArrayFile file_;
  StringIndex source_vocabulary_, target_vocabulary_;
  std::span<const std::uint64_t> keys_, rule_ends_, source_ends_, target_ends_, link_ends_;
  std::span<const std::uint32_t> source_words_, target_words_;
  std::span<const std::uint16_t> links_;
  std::span<const float> scores_, counts_, reordering_;
  int score_count_ = 0, reordering_count_ = 0;
};

}  // namespace tunesmith
