// Lexical features with their weights: one number for a rule in its place, which the decoder takes
// as one dense feature.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "features/lexical_templates.hh"
#include "features/weight_table.hh"

namespace tunesmith::features {

class LexicalModel {
 public:
  static constexpr std::string_view kKind = "lexical";
  static constexpr std::uint32_t kVersion = 2;

  LexicalModel(LexicalOptions options, WordAtoms source, WordAtoms target, WeightTable weights);
  // A file that save() made; its contents are checked on the way.
  static std::shared_ptr<LexicalModel> load(const std::string& path);
  // With everything a learner needs to go on, or only what scoring needs. `meta` is kept as it is.
  void save(const std::string& path, bool all, std::string_view meta) const;

  const LexicalTemplates& templates() const { return templates_; }
  const WordAtoms& source() const { return source_; }
  const WordAtoms& target() const { return target_; }
  const WeightTable& weights() const { return weights_; }
  // A learner changes the weights between searches.
  WeightTable& weights() { return weights_; }
  const std::string& meta() const { return meta_; }
  // The same templates and words with other weights.
  std::shared_ptr<LexicalModel> with_weights(WeightTable weights) const;

 private:
  LexicalTemplates templates_;
  WordAtoms source_, target_;
  WeightTable weights_;
  std::string meta_;
};

}  // namespace tunesmith::features
