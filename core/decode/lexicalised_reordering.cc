#include "decode/lexicalised_reordering.hh"

#include <string>

#include "base/error.hh"

namespace tunesmith::decode {

LexicalisedReordering::LexicalisedReordering(
    ReorderingShape shape, std::vector<std::shared_ptr<const grammar::PhraseTable>> tables)
    : ReorderingModel(shape), tables_(std::move(tables)) {
  if (shape.size() == 0) return;  // the scores of the tables are not looked at
  for (const auto& table : tables_) {
    const int found = table->reordering_per_rule();
    if (found != shape.size() && (found != 0 || table == tables_[0]))
      throw InputError(table->path(), 0, std::to_string(found) + " reordering scores a rule",
                       std::to_string(shape.size()) + " as the model says");
  }
}

const float* LexicalisedReordering::of_rule(const PhraseRule& rule) const {
  if (rule.rule == grammar::kNoRule) return nullptr;
  if (rule.pair == nullptr) return tables_[rule.table]->reordering(rule.rule);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (rule.pair[t] != grammar::kNoRule)
      if (const float* scores = tables_[t]->reordering(rule.pair[t]); scores != nullptr)
        return scores;
  return nullptr;
}

}  // namespace tunesmith::decode
