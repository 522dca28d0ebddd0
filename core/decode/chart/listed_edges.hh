// Which edges of a forest its best translations are made of. Features of the other edges, which are
// most of them, need not be looked up for a list.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/chart/chart_forest.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/scored_rules.hh"
#include "decode/translation.hh"

namespace tunesmith::decode {

// A flag for each edge of the forest.
std::vector<std::uint8_t> listed_edges(const ScoredRules& rules, const ChartGrammar& grammar,
                                       const ChartInput& input, const ChartForest& forest,
                                       const KBestOptions& kbest);

}  // namespace tunesmith::decode
