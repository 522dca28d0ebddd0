// One sentence pair's step up the gradient of expected BLEU over the beam's best translations
// (He & Deng 2012; Gao & He 2013).
#pragma once

#include <span>
#include <string>

#include "learn/beam_list.hh"
#include "learn/violation_update.hh"

namespace tunesmith::learn {

// ∇ Σ_k p_k g_k = Σ_k p_k (g_k − ḡ) h_k, with p the softmax of the translations' scores times
// the sharpness, whose factor is left to the rate, and g their gains (see BleuBackground). As the
// update's violation: how far ḡ is from the best gain.
void expected_update(ViolationUpdate& update, const decode::PhraseModel& model,
                     std::span<const double> weights, const ViolationOptions& options,
                     std::span<const std::string> target, const decode::SearchGraph& graph,
                     const BeamFeatures& features);

}  // namespace tunesmith::learn
