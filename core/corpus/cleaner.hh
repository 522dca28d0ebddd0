// Which sentence pairs are fit to learn from, and why others are not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace tunesmith::corpus {

// In the order in which they are looked for; a pair has the first reason that holds.
enum class Removal : std::uint8_t {
  kKept = 0,
  kEmpty,      // a side without words
  kTooLong,    // a side with more than max_words words
  kRatio,      // one side has more than max_ratio times the words of the other
  kScript,     // letters, but too few of the script that the side is written in
  kIdentical,  // both sides are the same text: not translated
  kDuplicate,  // the same pair came before
};

struct CleanOptions {
  std::uint32_t max_words = 100;
  double max_ratio = 9.0;
  double min_script = 0.1;  // share of a side's letters
  bool remove_identical = true;
  bool remove_duplicates = true;
};

// Scripts are small numbers, 0 for what is no letter; the table gives one for each code point.
using ScriptTable = std::vector<std::uint8_t>;
inline constexpr int kMaxScripts = 256;

// How many letters of each script there are in `lines`.
std::array<std::uint64_t, kMaxScripts> count_scripts(const ScriptTable& scripts,
                                                     std::span<const std::string_view> lines,
                                                     int threads);

class Cleaner {
 public:
  // Script 0 for a side means that any will do.
  Cleaner(const CleanOptions& options, ScriptTable scripts, std::uint8_t source_script,
          std::uint8_t target_script);

  // The verdict on each pair; earlier calls count as what came before. Pairs are compared by a
  // 64-bit hash of their words: two different ones among ten million are taken for duplicates
  // with a probability of 3 in a million.
  std::vector<std::uint8_t> judge(std::span<const std::string_view> sources,
                                  std::span<const std::string_view> targets, int threads);

 private:
  Removal judge_alone(std::string_view source, std::string_view target, std::uint64_t& hash) const;
  bool has_script(std::string_view text, std::uint8_t wanted) const;

  CleanOptions options_;
  ScriptTable scripts_;
  std::uint8_t source_script_, target_script_;
  std::unordered_set<std::uint64_t> seen_;
};

// Groups of pairs that must stay together because they share a sentence, directly or through
// other pairs: the number of the first pair of its group for each pair.
std::vector<std::uint32_t> group_by_sentence(std::span<const std::uint64_t> sources,
                                             std::span<const std::uint64_t> targets);

// A hash of each line's words, by which equal sentences are found; white space does not count.
std::vector<std::uint64_t> hash_lines(std::span<const std::string_view> lines, int threads);

}  // namespace tunesmith::corpus
