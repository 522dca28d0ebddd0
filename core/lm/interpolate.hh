// Linear interpolation of models into one back-off model.
#pragma once

#include <memory>
#include <vector>

#include "lm/ngrams.hh"

namespace tunesmith::lm {

// The mixture Σ λ_k p_k as a model of its own: it has every n-gram that one of the models has, with
// the mixture's probability, and back-off weights that make every context sum to one,
//   b(c) = (1 − Σ p(w|c)) / (1 − Σ p(w|c')),  sums over the words w with an n-gram cw,
// so that only n-grams which no model has get another probability than the mixture gives them.
// A word that model k does not know shares p_k(<unk>) with the model's other unknown words of the
// joint vocabulary and with <unk>, so that every p_k still sums to one.
Ngrams interpolate_models(const std::vector<std::shared_ptr<const Model>>& models,
                          const std::vector<double>& weights);

// By how many a model's <unk> is shared: one more than the words of the joint vocabulary that it
// does not know.
std::vector<std::uint64_t> unknown_shares(const std::vector<std::shared_ptr<const Model>>& models);

}  // namespace tunesmith::lm
