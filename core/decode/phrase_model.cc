#include "decode/phrase_model.hh"

#include "base/hash.hh"

namespace tunesmith {

PhraseModel::PhraseModel(std::vector<std::shared_ptr<const PhraseTable>> tables,
                         std::vector<std::shared_ptr<const lm::Model>> models,
                         ReorderingShape reordering,
                         std::shared_ptr<const RuleFeatures> rule_features,
                         std::shared_ptr<const LexicalModel> lexical)
    : tables_(std::move(tables)),
      models_(std::move(models)),
      reordering_(reordering),
      rule_features_(std::move(rule_features)) {
  if (tables_.empty()) throw OptionError("a phrase model needs a phrase table");
  int begin = 0;
  for (const auto& table : tables_) {
    table_begins_.push_back(begin);
    begin += table->scores_per_rule();
  }
  table_begins_.push_back(begin);
  for (const auto& table : tables_) {
    // A model without a reordering model does not look at the tables' scores. A table after the
    // first may have no reordering scores; its rules then get none.
    const int found = table->reordering_per_rule();
    if (found != reordering_.size() && reordering_.size() > 0 &&
        (found != 0 || table == tables_[0]))
      throw InputError(table->path(), 0, std::to_string(found) + " reordering scores a rule",
                       std::to_string(reordering_.size()) + " as the model says");
  }
  if (lexical) lexical_ = std::make_unique<const LexicalTables>(std::move(lexical), tables_);
  if (rule_features_)
    for (const auto& table : tables_) feature_tables_.push_back(rule_features_->table_of(*table));
  for (const auto& table : tables_) {
    const StringIndex& vocabulary = table->target_vocabulary();
    auto& hashes = word_hashes_.emplace_back(vocabulary.size());
    auto& ids = lm_words_.emplace_back(models_.size());
    for (std::uint32_t w = 0; w < vocabulary.size(); ++w)
      hashes[w] = hash_string(vocabulary.text(w));
    for (std::size_t m = 0; m < models_.size(); ++m) {
      ids[m].resize(vocabulary.size());
      for (std::uint32_t w = 0; w < vocabulary.size(); ++w)
        ids[m][w] = models_[m]->lookup(vocabulary.text(w));
    }
  }
}

}  // namespace tunesmith
