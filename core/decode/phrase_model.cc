#include "decode/phrase_model.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::decode {
namespace {

// Sets of joined tables are bits.
constexpr std::size_t kMaxJoined = 16;

}  // namespace

PhraseModel::PhraseModel(std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
                         std::vector<std::shared_ptr<const lm::Model>> models,
                         std::shared_ptr<const ReorderingModel> reordering,
                         std::shared_ptr<const features::RuleFeatures> rule_features,
                         std::shared_ptr<const features::LexicalModel> lexical,
                         TableRelations relations)
    : tables_(std::move(tables)),
      models_(std::move(models)),
      reordering_(std::move(reordering)),
      relations_(std::move(relations)),
      twins_(std::make_shared<const grammar::TableTwins>(tables_)),
      rule_features_(std::move(rule_features)) {
  if (tables_.empty()) throw OptionError("a phrase model needs a phrase table");
  int begin = 0;
  for (const auto& table : tables_) {
    table_begins_.push_back(begin);
    begin += table->scores_per_rule();
  }
  table_begins_.push_back(begin);
  if (joined() && relations_.floors.size() != static_cast<std::size_t>(begin))
    throw OptionError(std::to_string(relations_.floors.size()) + " floors for " +
                      std::to_string(begin) + " scores of joined tables");
  if (joined() && tables_.size() > kMaxJoined)
    throw OptionError(std::to_string(tables_.size()) + " joined tables, more than " +
                      std::to_string(kMaxJoined));
  if (lexical) lexical_ = std::make_unique<const LexicalTables>(std::move(lexical), tables_);
  if (rule_features_)
    for (const auto& table : tables_) feature_tables_.push_back(rule_features_->table_of(*table));
  for (const auto& table : tables_) look_up(*table);
}

PhraseModel::PhraseModel(const PhraseModel& base, std::shared_ptr<const grammar::PhraseTable> layer,
                         std::shared_ptr<const ReorderingModel> reordering)
    : tables_(base.model_tables().begin(), base.model_tables().end()),
      models_(base.models_),
      reordering_(std::move(reordering)),
      relations_(base.relations_),
      has_layer_(true),
      twins_(base.twins_),
      rule_features_(base.rule_features_),
      feature_tables_(base.feature_tables_),
      table_begins_(base.table_begins_) {
  const std::size_t count = tables_.size();
  table_begins_.resize(count + 1);
  const int own = layer->scores_per_rule() - table_begins_.back();
  if (own < 0)
    throw InputError(layer->path(), 0, std::to_string(layer->scores_per_rule()) + " scores a rule",
                     "a layer of a model with " + std::to_string(table_begins_.back()));
  table_begins_.push_back(layer->scores_per_rule());
  tables_.push_back(std::move(layer));
  if (base.lexical_)
    lexical_ = std::make_unique<const LexicalTables>(*base.lexical_, count, *tables_.back());
  lm_words_.assign(base.lm_words_.begin(), base.lm_words_.begin() + static_cast<int>(count));
  word_hashes_.assign(base.word_hashes_.begin(),
                      base.word_hashes_.begin() + static_cast<int>(count));
  look_up(*tables_.back());
}

void PhraseModel::look_up(const grammar::PhraseTable& table) {
  const StringIndex& vocabulary = table.target_vocabulary();
  WordHashes hashes(vocabulary.size());
  for (std::uint32_t w = 0; w < vocabulary.size(); ++w) hashes[w] = hash_string(vocabulary.text(w));
  LmWords ids(models_.size());
  for (std::size_t m = 0; m < models_.size(); ++m) {
    ids[m].resize(vocabulary.size());
    for (std::uint32_t w = 0; w < vocabulary.size(); ++w)
      ids[m][w] = models_[m]->lookup(vocabulary.text(w));
  }
  word_hashes_.push_back(std::make_shared<const WordHashes>(std::move(hashes)));
  lm_words_.push_back(std::make_shared<const LmWords>(std::move(ids)));
}

SparseRow PhraseModel::layer_sparse(std::uint64_t rule) const {
  const auto model = model_tables();
  for (std::size_t t = 0; t < model.size(); ++t) {
    const std::uint32_t twin = grammar::find_twin(*tables_.back(), rule, *model[t]);
    if (twin != grammar::kNoRule) return rule_features_->row(feature_tables_[t], twin);
  }
  return {};
}

void PhraseModel::give_back() const {
  for (const auto& table : tables_) table->give_back();
  for (const auto& model : models_) model->give_back();
  reordering_->give_back();
  if (rule_features_) rule_features_->give_back();
}

std::vector<std::uint32_t> PhraseModel::pair_rules(int table, std::uint64_t rule,
                                                   std::uint32_t without) const {
  const TableGroup group = group_of(table);
  std::vector<std::uint32_t> rules;
  for (int t = group.begin; t < group.end; ++t)
    rules.push_back(without >> (t - group.begin) & 1 ? grammar::kNoRule : twin(table, rule, t));
  return rules;
}

void PhraseModel::read_scores(TableGroup group, std::span<const std::uint32_t> rules,
                              float* scores) const {
  for (int t = group.begin; t < group.end; ++t) {
    const std::uint32_t rule = rules[t - group.begin];
    const float* from =
        rule == grammar::kNoRule ? &relations_.floors[table_begins_[t]] : tables_[t]->scores(rule);
    scores = std::copy_n(from, tables_[t]->scores_per_rule(), scores);
  }
}

}  // namespace tunesmith::decode
