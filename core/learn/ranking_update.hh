// One sentence pair's update by pairwise ranking of the beam's best translations.
#pragma once

#include <span>
#include <string>

#include "learn/beam_list.hh"
#include "learn/violation_update.hh"

namespace tunesmith::learn {

// rank_pairs over the list, with Liang et al.'s (2006) sentence BLEU as gain and a column for every
// dense and every lexical feature. As the update's violation: the share of pairs that were mended.
void ranking_update(ViolationUpdate& update, const decode::PhraseModel& model,
                    std::span<const double> weights, const ViolationOptions& options,
                    std::span<const std::string> target, const decode::SearchGraph& graph,
                    const BeamFeatures& features);

}  // namespace tunesmith::learn
