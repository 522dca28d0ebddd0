#include "decode/lexical/lexical_tables.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::decode {
namespace {

constexpr std::uint64_t kSourceSide = 0x73726300ULL, kTargetSide = 0x74677400ULL;

}  // namespace

LexicalTables::LexicalTables(std::shared_ptr<const features::LexicalModel> model,
                             const std::vector<std::shared_ptr<const grammar::PhraseTable>>& tables)
    : model_(std::move(model)), levels_(model_->source().levels()) {
  for (const auto& table : tables) look_up(*table);
}

LexicalTables::LexicalTables(const LexicalTables& base, std::size_t count,
                             const grammar::PhraseTable& table)
    : model_(base.model_),
      levels_(base.levels_),
      tables_(base.tables_.begin(), base.tables_.begin() + static_cast<std::ptrdiff_t>(count)) {
  look_up(table);
}

void LexicalTables::look_up(const grammar::PhraseTable& table) {
  tables_.push_back(
      std::make_shared<const Table>(Table{side_of(table.source_vocabulary(), model_->source()),
                                          side_of(table.target_vocabulary(), model_->target())}));
}

LexicalTables::Side LexicalTables::side_of(const StringIndex& vocabulary,
                                           const features::WordAtoms& atoms) const {
  Side side;
  side.hashes.resize(vocabulary.size());
  side.from_left.resize(static_cast<std::size_t>(vocabulary.size()) * levels_);
  side.from_right = side.from_left;
  for (std::uint32_t word = 0; word < vocabulary.size(); ++word) {
    const std::size_t begin = static_cast<std::size_t>(word) * levels_;
    side.hashes[word] = hash_string(vocabulary.text(word));
    atoms.read(vocabulary.text(word), side.from_left.data() + begin,
               side.from_right.data() + begin);
  }
  if (side.from_right == side.from_left) side.from_right = {};
  return side;
}

features::RuleWords LexicalTables::source_words(int table,
                                                std::span<const std::uint32_t> words) const {
  const Side& side = tables_[table]->source;
  features::RuleWords rule;
  rule.id = kSourceSide;
  for (const std::uint32_t word : words) rule.id = hash_combine(rule.id, side.hashes[word]);
  rule.source_length = static_cast<int>(words.size());
  if (words.empty()) return rule;
  rule.source_first = side.left(words.front(), levels_);
  rule.source_last = side.right(words.back(), levels_);
  return rule;
}

features::RuleWords LexicalTables::with_target(features::RuleWords rule, int table,
                                               std::span<const std::uint32_t> words) const {
  const Side& side = tables_[table]->target;
  rule.id = hash_combine(rule.id, kTargetSide);
  for (const std::uint32_t word : words) rule.id = hash_combine(rule.id, side.hashes[word]);
  if (words.empty()) return rule;
  rule.target_first = side.left(words.front(), levels_);
  rule.target_last = side.right(words.back(), levels_);
  return rule;
}

double LexicalTables::history_value(std::uint64_t rule, const RuleHistory& history,
                                    std::vector<std::uint64_t>& keys) const {
  features::RuleWords words;
  words.id = rule;
  keys.clear();
  templates().history_keys(words, history.rule, history.before, history.last, keys);
  return model_->weights().sum(keys);
}

SentenceAtoms::SentenceAtoms(const features::LexicalModel& model,
                             const std::vector<std::string>& words, const std::string* after)
    : levels_(model.source().levels()),
      left_((words.size() + 2) * levels_),
      right_((words.size() + 2) * levels_) {
  const auto read = [&](std::size_t place, std::string_view word) {
    model.source().read(word, left_.data() + place * levels_, right_.data() + place * levels_);
  };
  read(0, features::kSentenceBegin);
  for (std::size_t i = 0; i < words.size(); ++i) read(i + 1, words[i]);
  read(words.size() + 1, after == nullptr ? features::kSentenceEnd : std::string_view(*after));
}

}  // namespace tunesmith::decode
