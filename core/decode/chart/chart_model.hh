// What chart search needs of a model besides a grammar: language models and the order of the
// features.
#pragma once

#include <memory>
#include <vector>

#include "decode/plain_features.hh"
#include "lm/model.hh"

namespace tunesmith::decode {

// Dense features in order: those of the grammar's rules; plain ones (plain_features.hh); language
// models (natural logarithms); of each language model the words that it does not know (−1 each);
// what the input says of its words, where it is a lattice.
class ChartModel {
 public:
  // `grammar_features`: how many columns the grammar's rules have; `arc_features`: how many scores
  // a word of a lattice has.
  ChartModel(std::vector<std::shared_ptr<const lm::Model>> models, int grammar_features,
             int arc_features = 0);

  int features() const { return arc_begin() + arc_features_; }
  int grammar_features() const { return grammar_features_; }
  int plain_begin() const { return grammar_features_; }
  int lm_begin() const { return plain_begin() + kChartFeatures; }
  int unknown_begin() const { return lm_begin() + language_models(); }
  int arc_begin() const { return lm_begin() + language_models() * 2; }
  int arc_features() const { return arc_features_; }

  int language_models() const { return static_cast<int>(models_.size()); }
  const lm::Model& language_model(int i) const { return *models_[i]; }

 private:
  std::vector<std::shared_ptr<const lm::Model>> models_;
  int grammar_features_, arc_features_;
};

}  // namespace tunesmith::decode
