// The best configuration of a pool: one hypothesis per sentence, for the highest corpus gain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"
#include "metrics/gain.hh"

namespace tunesmith::tune {

// Greedy substitution (Venugopal & Vogel 2005): sentence after sentence takes the hypothesis that
// lifts the corpus gain most, if one lifts it at all, until a whole sweep changes nothing. With
// `lowest` it goes down instead. Starts from `rows` (one per sentence) and gives the rows of the
// end; of hypotheses with equal statistics the first is taken, unless the start has another.
std::vector<std::int64_t> greedy_oracle(const PoolView& pool, const metrics::Gain& gain,
                                        std::span<const std::int64_t> rows, bool lowest,
                                        int threads);

}  // namespace tunesmith::tune
