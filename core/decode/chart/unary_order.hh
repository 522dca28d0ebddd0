// The order in which the labels of a span are filled.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/chart/scored_rules.hh"

namespace tunesmith::decode {

// The labels in an order in which rules of a single non-terminal lead from earlier to later ones;
// the grammar has no cycle of them.
std::vector<std::int32_t> unary_order(const ChartGrammar& grammar);

}  // namespace tunesmith::decode
