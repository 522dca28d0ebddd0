// The phrase table: source phrases to rules (target phrase, scores, links, counts, reordering),
// in one memory-mapped file.
//
// Source phrases are found by a 64-bit key, the chained hash of their word ids; keys are sorted,
// so a look-up is a binary search. Rules of a source phrase stand together, best first.
//
// What a look-up reads is checked as it is first used (base/checked_array.hh): every function that
// gives a part of the table may throw InputError, and no index leads outside.
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

namespace tunesmith::grammar {

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
  // See MappedFile.
  void give_back() const { file_.give_back(); }
  std::uint64_t sources() const { return keys_.size(); }
  std::uint64_t rules() const { return targets_.size(); }
  int scores_per_rule() const { return score_count_; }
  int reordering_per_rule() const { return reordering_count_; }
  // A JSON object with the names of the scores and how the table was made.
  std::string_view meta() const { return file_.text("meta"); }
  // Of all source phrases, ascending.
  std::span<const std::uint64_t> keys() const { return keys_.all(); }

  const StringIndex& source_vocabulary() const { return source_vocabulary_; }
  const StringIndex& target_vocabulary() const { return target_vocabulary_; }

  // The number of a source phrase, or sources().
  std::uint64_t find_source(std::uint64_t key) const {
    const std::uint64_t at = keys_.partition_point([&](std::uint64_t k) { return k < key; });
    return at == sources() || keys_[at] != key ? sources() : at;
  }
  RuleRange find(std::uint64_t key) const {
    const std::uint64_t source = find_source(key);
    return source == sources() ? RuleRange{} : rules_of(source);
  }
  RuleRange rules_of(std::uint64_t source) const {
    const RuleRange range{source == 0 ? 0 : rule_ends_[source - 1], rule_ends_[source]};
    if (range.begin > range.end || range.end > rules()) rule_ends_.refuse();
    return range;
  }
  // The number of the source phrase of a rule.
  std::uint64_t source_of(std::uint64_t rule) const {
    return rule_ends_.partition_point([&](std::uint64_t end) { return end <= rule; });
  }
  std::uint64_t key(std::uint64_t source) const { return keys_[source]; }
  std::span<const std::uint32_t> source(std::uint64_t source) const { return sources_[source]; }
  std::span<const std::uint32_t> target(std::uint64_t rule) const { return targets_[rule]; }
  // Natural logarithms.
  const float* scores(std::uint64_t rule) const { return row(scores_, rule, score_count_); }
  std::span<const std::uint16_t> links(std::uint64_t rule) const { return links_[rule]; }
  // How often the target phrase, the source phrase and the pair were extracted.
  const float* counts(std::uint64_t rule) const { return row(counts_, rule, 3); }
  // Natural logarithms, previous orientations first; null where the table has no reordering model.
  const float* reordering(std::uint64_t rule) const {
    return reordering_count_ == 0 ? nullptr : row(reordering_, rule, reordering_count_);
  }

 private:
  static const float* row(const CheckedArray<float>& values, std::uint64_t rule, int size) {
    return values.slice(rule * size, (rule + 1) * size).data();
  }

  ArrayFile file_;
  StringIndex source_vocabulary_, target_vocabulary_;
  CheckedArray<std::uint64_t> keys_, rule_ends_;
  CheckedRows<std::uint32_t> sources_, targets_;
  CheckedRows<std::uint16_t> links_;
  CheckedArray<float> scores_, counts_, reordering_;
  int score_count_ = 0, reordering_count_ = 0;
};

}  // namespace tunesmith::grammar
