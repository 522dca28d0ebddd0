#include "grammar/table_twins.hh"

#include <algorithm>
#include <numeric>

namespace tunesmith::grammar {
namespace {

std::vector<std::uint32_t> words_in(const StringIndex& own, const StringIndex& other) {
  std::vector<std::uint32_t> ids(own.size());
  bool alike = true;
  for (std::uint32_t word = 0; word < own.size(); ++word) {
    ids[word] = other.find(own.text(word));
    alike = alike && ids[word] == word;
  }
  if (alike) ids.clear();
  return ids;
}

std::uint32_t in_other(const std::vector<std::uint32_t>& words, std::uint32_t word) {
  return words.empty() ? word : words[word];
}

}  // namespace

TableTwins::TableTwins(std::vector<std::shared_ptr<const PhraseTable>> tables)
    : tables_(std::move(tables)) {
  for (const auto& table : tables_) {
    auto& row = words_.emplace_back();
    for (const auto& other : tables_) {
      Words& words = row.emplace_back();
      if (other == table) continue;
      words.source = words_in(table->source_vocabulary(), other->source_vocabulary());
      words.target = words_in(table->target_vocabulary(), other->target_vocabulary());
    }
  }
}

std::uint32_t TableTwins::find(int table, std::uint64_t rule, int other) const {
  const PhraseTable &here = *tables_[table], &there = *tables_[other];
  const Words& words = words_[table][other];
  std::uint64_t key = kEmptyPhrase;
  for (const std::uint32_t word : here.source(here.source_of(rule))) {
    const std::uint32_t id = in_other(words.source, word);
    if (id == StringIndex::kMissing) return kNoRule;
    key = extend_phrase(key, id);
  }
  const auto target = here.target(rule);
  const RuleRange range = there.find(key);
  for (std::uint64_t r = range.begin; r < range.end; ++r)
    if (std::ranges::equal(target, there.target(r), [&](std::uint32_t a, std::uint32_t b) {
          return in_other(words.target, a) == b;
        }))
      return static_cast<std::uint32_t>(r);
  return kNoRule;
}

std::uint32_t find_twin(const PhraseTable& table, std::uint64_t rule, const PhraseTable& other) {
  std::vector<std::string_view> source, target;
  for (const std::uint32_t word : table.source(table.source_of(rule)))
    source.push_back(table.source_vocabulary().text(word));
  for (const std::uint32_t word : table.target(rule))
    target.push_back(table.target_vocabulary().text(word));
  return find_pair(other, source, target);
}

std::uint32_t find_pair(const PhraseTable& table, std::span<const std::string_view> source,
                        std::span<const std::string_view> target) {
  std::uint64_t key = kEmptyPhrase;
  for (const std::string_view word : source) {
    const std::uint32_t id = table.source_vocabulary().find(word);
    if (id == StringIndex::kMissing) return kNoRule;
    key = extend_phrase(key, id);
  }
  std::vector<std::uint32_t> ids;
  for (const std::string_view word : target) {
    ids.push_back(table.target_vocabulary().find(word));
    if (ids.back() == StringIndex::kMissing) return kNoRule;
  }
  const RuleRange range = table.find(key);
  for (std::uint64_t r = range.begin; r < range.end; ++r)
    if (std::ranges::equal(ids, table.target(r))) return static_cast<std::uint32_t>(r);
  return kNoRule;
}

std::vector<std::vector<std::uint8_t>> keep_twins(
    const std::vector<std::shared_ptr<const PhraseTable>>& tables,
    std::vector<std::vector<std::uint8_t>> keep) {
  const TableTwins twins(tables);
  const auto own = keep;
  const auto count = static_cast<int>(tables.size());
  for (int t = 0; t < count; ++t)
    for (std::uint64_t rule = 0; rule < own[t].size(); ++rule)
      for (int other = 0; other < count && own[t][rule] != 0; ++other) {
        const std::uint32_t twin = other == t ? kNoRule : twins.find(t, rule, other);
        if (twin != kNoRule) keep[other][twin] = 1;
      }
  return keep;
}

}  // namespace tunesmith::grammar
