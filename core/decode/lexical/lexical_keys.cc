#include "decode/lexical/lexical_keys.hh"

#include <algorithm>
#include <span>

namespace tunesmith::decode {

LexicalKeys::LexicalKeys(const PhraseModel& model, const std::vector<std::string>& source,
                         const std::string* after)
    : model_(model),
      lexical_(*model.lexical()),
      atoms_(lexical_.model(), source, after),
      history_(2 * static_cast<std::size_t>(lexical_.model().target().levels())) {
  for (int t = 0; t < model.tables(); ++t) {
    auto& ids = ids_.emplace_back();
    for (const std::string& word : source)
      ids.push_back(model.table(t).source_vocabulary().find(word));
  }
}

features::RuleWords LexicalKeys::words_of(int table, std::uint32_t rule, int begin, int end) const {
  const auto source = std::span(ids_[table]).subspan(begin, end - begin);
  return lexical_.with_target(lexical_.source_words(table, source), table,
                              model_.table(table).target(rule));
}

void LexicalKeys::local(int table, std::uint32_t rule, int begin, int end,
                        std::vector<std::uint64_t>& keys) const {
  if (rule == grammar::kNoRule) return;
  const features::RuleWords words = words_of(table, rule, begin, end);
  const features::SpanContext around = atoms_.around(begin, end);
  lexical_.templates().rule_keys(words, keys);
  lexical_.templates().span_keys(words, around, keys);
  lexical_.templates().context_keys(words, around, keys);
}

void LexicalKeys::start() {
  last_rule_ = 0;
  history_words_ = 0;
}

void LexicalKeys::follow(int table, std::uint32_t rule, int begin, int end,
                         const std::vector<std::string_view>& target,
                         std::vector<std::uint64_t>& keys) {
  local(table, rule, begin, end, keys);
  follow_history(table, rule, begin, end, target, keys);
}

void LexicalKeys::follow_history(int table, std::uint32_t rule, int begin, int end,
                                 const std::vector<std::string_view>& target,
                                 std::vector<std::uint64_t>& keys) {
  if (!lexical_.templates().sees_history()) return;
  const auto levels = static_cast<std::size_t>(lexical_.model().target().levels());
  std::uint64_t id = 0;
  if (rule != grammar::kNoRule) {
    const features::RuleWords words = words_of(table, rule, begin, end);
    id = words.id;
    lexical_.templates().history_keys(
        words, last_rule_, history_words_ > 1 ? history_.data() : nullptr,
        history_words_ > 0 ? history_.data() + levels : nullptr, keys);
  }
  last_rule_ = id;
  std::vector<std::uint64_t> left(levels);
  for (const std::string_view word : target) {
    std::copy(history_.begin() + static_cast<std::ptrdiff_t>(levels), history_.end(),
              history_.begin());
    lexical_.model().target().read(word, left.data(), history_.data() + levels);
    ++history_words_;
  }
}

}  // namespace tunesmith::decode
