// The same phrase pairs in several tables, each of which numbers words in its own way.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

// The number of no rule.
constexpr std::uint32_t kNoRule = 0xFFFFFFFF;

class TableTwins {
 public:
  explicit TableTwins(std::vector<std::shared_ptr<const PhraseTable>> tables);

  // The rule of table `other` with the words of a rule of `table`, or kNoRule.
  std::uint32_t find(int table, std::uint64_t rule, int other) const;

 private:
  // By pair of tables the words of the one in the other, kMissing where it does not have them;
  // empty where both number words alike.
  struct Words {
    std::vector<std::uint32_t> source, target;
  };

  std::vector<std::shared_ptr<const PhraseTable>> tables_;
  std::vector<std::vector<Words>> words_;  // [table][other]
};

// The same for two tables of which nothing is looked up before.
std::uint32_t find_twin(const PhraseTable& table, std::uint64_t rule, const PhraseTable& other);

// The rule of a table with these words, or kNoRule.
std::uint32_t find_pair(const PhraseTable& table, std::span<const std::string_view> source,
                        std::span<const std::string_view> target);

// For every table and rule 1 if `keep` has it, or the same words in another table.
std::vector<std::vector<std::uint8_t>> keep_twins(
    const std::vector<std::shared_ptr<const PhraseTable>>& tables,
    std::vector<std::vector<std::uint8_t>> keep);

}  // namespace tunesmith::grammar
