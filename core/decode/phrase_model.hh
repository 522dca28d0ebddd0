// What phrase-based search needs of a model: tables, language models, a reordering model, sparse
// features of rules, and the order of the features.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/lexical/lexical_tables.hh"
#include "decode/plain_features.hh"
#include "decode/reordering.hh"
#include "features/rule_features.hh"
#include "grammar/phrase_table.hh"
#include "grammar/table_twins.hh"
#include "lm/model.hh"

namespace tunesmith::decode {

// How the tables of a model stand to each other.
struct TableRelations {
  // Of joined tables, what a phrase pair gets for every score of every table that does not have
  // it. Empty: the tables stand side by side, and each rule has the scores of its own table alone.
  std::vector<float> floors;
  // Tables with rules of the first one, counted again.
  std::vector<int> recounted;
};

// Tables that are searched as one: [begin, end).
struct TableGroup {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

// Dense features in order: the scores of every table; those of a layer; reordering; plain features;
// language models; lexical features as one. A weight vector has the dense weights first, then those
// of the sparse features by their ids.
//
// A layer is one more table, the last: rules that were learned on top of a model. They stand beside
// those of the model, and a rule has scores for the features of all tables of the model and then
// those of the layer alone. Its sparse features are those of the same phrase pair in the model.
class PhraseModel {
 public:
  PhraseModel(std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
              std::vector<std::shared_ptr<const lm::Model>> models,
              std::shared_ptr<const ReorderingModel> reordering,
              std::shared_ptr<const features::RuleFeatures> rule_features = nullptr,
              std::shared_ptr<const features::LexicalModel> lexical = nullptr,
              TableRelations relations = {});
  // `base` with a layer, or with another one in the place of its own; `reordering` knows the tables
  // of the model and the layer. What `base` has looked up in its vocabularies is shared.
  PhraseModel(const PhraseModel& base, std::shared_ptr<const grammar::PhraseTable> layer,
              std::shared_ptr<const ReorderingModel> reordering);
  PhraseModel(const PhraseModel&) = delete;

  // How many dense features there are.
  int features() const { return lexical_index() + (lexical_ ? 1 : 0); }
  std::uint32_t sparse_features() const { return rule_features_ ? rule_features_->size() : 0; }
  std::size_t weights() const { return static_cast<std::size_t>(features()) + sparse_features(); }
  int table_begin(int table) const { return is_layer(table) ? 0 : table_begins_[table]; }
  int reordering_begin() const { return table_begins_.back(); }
  int plain_begin() const { return reordering_begin() + reordering_->features(); }
  int lm_begin() const { return plain_begin() + kPlainFeatures; }
  int lexical_index() const { return lm_begin() + static_cast<int>(models_.size()); }

  // Takes all mapped files out of this process's memory until they are used again; see MappedFile.
  void give_back() const;

  int tables() const { return static_cast<int>(tables_.size()); }
  std::span<const std::shared_ptr<const grammar::PhraseTable>> model_tables() const {
    return std::span(tables_).first(tables_.size() - (has_layer_ ? 1 : 0));
  }
  bool is_layer(int table) const { return has_layer_ && table == tables() - 1; }
  const grammar::PhraseTable& table(int i) const { return *tables_[i]; }
  // Whether the table has rules of the first one, counted again.
  bool recounted(int table) const {
    return std::ranges::find(relations_.recounted, table) != relations_.recounted.end();
  }

  // Joined tables are one group, in which a phrase pair is one rule whatever tables have it; others
  // are a group each, the layer too.
  int groups() const { return joined() ? 1 + (has_layer_ ? 1 : 0) : tables(); }
  TableGroup group(int g) const {
    if (!joined()) return {g, g + 1};
    const auto model = static_cast<int>(model_tables().size());
    return g == 0 ? TableGroup{0, model} : TableGroup{model, model + 1};
  }
  TableGroup group_of(int table) const {
    return group(joined() ? (is_layer(table) ? 1 : 0) : table);
  }
  // How many scores a rule of the group has; those of features from table_begin(group.begin) on.
  int scores(TableGroup group) const { return table_begins_[group.end] - table_begin(group.begin); }
  // The rule of table `other` with the same words as a rule of `table`, or kNoRule; neither is the
  // layer.
  std::uint32_t twin(int table, std::uint64_t rule, int other) const {
    return table == other ? static_cast<std::uint32_t>(rule) : twins_->find(table, rule, other);
  }
  // The phrase pair of a rule in every table of its group: rules, or kNoRule where a table does not
  // have it or is in `without`, a set of bits.
  std::vector<std::uint32_t> pair_rules(int table, std::uint64_t rule,
                                        std::uint32_t without = 0) const;
  // Its scores in all tables of the group.
  void read_scores(TableGroup group, std::span<const std::uint32_t> rules, float* scores) const;

  int language_models() const { return static_cast<int>(models_.size()); }
  const lm::Model& language_model(int i) const { return *models_[i]; }
  const ReorderingModel& reordering() const { return *reordering_; }
  // Lexical features with learned weights; null where the model has none.
  const LexicalTables* lexical() const { return lexical_.get(); }
  // The sparse features of a rule.
  SparseRow sparse(int table, std::uint64_t rule) const {
    if (!rule_features_) return {};
    if (is_layer(table)) return layer_sparse(rule);
    return rule_features_->row(feature_tables_[table], rule);
  }

  // What language model `m` makes of a word of table `t`.
  lm::ClassedWord lm_word(int t, int m, std::uint32_t target) const {
    return (*lm_words_[t])[m][target];
  }
  // A hash of the word's text: equal words of different tables have equal hashes.
  std::uint64_t word_hash(int t, std::uint32_t target) const { return (*word_hashes_[t])[target]; }

 private:
  // [language model][target word of a table]
  using LmWords = std::vector<std::vector<lm::ClassedWord>>;
  using WordHashes = std::vector<std::uint64_t>;

  bool joined() const { return !relations_.floors.empty(); }
  void look_up(const grammar::PhraseTable& table);
  SparseRow layer_sparse(std::uint64_t rule) const;

  std::vector<std::shared_ptr<const grammar::PhraseTable>> tables_;
  std::vector<std::shared_ptr<const lm::Model>> models_;
  std::shared_ptr<const ReorderingModel> reordering_;
  TableRelations relations_;
  bool has_layer_ = false;
  std::shared_ptr<const grammar::TableTwins> twins_;             // of the model's tables
  std::shared_ptr<const features::RuleFeatures> rule_features_;  // may be null
  std::vector<int> feature_tables_;               // of every table, its place in them
  std::unique_ptr<const LexicalTables> lexical_;  // may be null
  std::vector<int> table_begins_;
  std::vector<std::shared_ptr<const LmWords>> lm_words_;        // of every table
  std::vector<std::shared_ptr<const WordHashes>> word_hashes_;  // of every table
};

}  // namespace tunesmith::decode
