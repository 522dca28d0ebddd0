// The best translations of a beam as a list, for updates that compare translations by their BLEU.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/lexical/lexical_keys.hh"
#include "decode/phrase/edge_features.hh"
#include "decode/phrase/phrase_search.hh"
#include "features/weight_table.hh"

namespace tunesmith::learn {

struct BeamTranslation {
  std::vector<std::uint32_t> edges;  // first to last
  std::vector<double> stats;         // of BLEU against the target
};

// The `size` best translations of different words; fewer if there are not so many.
std::vector<BeamTranslation> beam_list(const decode::PhraseModel& model,
                                       const decode::SearchGraph& graph,
                                       std::span<const std::string> target, std::size_t size);

// Features of derivations of the beam.
class BeamFeatures {
 public:
  BeamFeatures(const decode::PhraseModel& model, const decode::SearchGraph& graph,
               decode::LexicalKeys* lexical)
      : model_(model), graph_(graph), lexical_(lexical) {}

  // Adds the dense features.
  void add_dense(const std::vector<std::uint32_t>& edges, double* features) const;
  // The same, and appends the keys of the lexical ones and the sparse ones that have names.
  void add(const std::vector<std::uint32_t>& edges, double* features,
           std::vector<std::uint64_t>& keys, SparseVector& named) const;
  // Σ_k shares[k] · lexical features of list[k], by key without zeros. Translations of a list share
  // most of their phrases: what depends on a phrase and its place alone is computed once.
  std::vector<features::KeyChange> lexical_sum(const std::vector<BeamTranslation>& list,
                                               const std::vector<double>& shares) const;

 private:
  const decode::PhraseModel& model_;
  const decode::SearchGraph& graph_;
  decode::LexicalKeys* lexical_;
};

}  // namespace tunesmith::learn
