// The metric's statistics of derivations.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "graph/graph_pool.hh"
#include "metrics/scorer.hh"

namespace tunesmith::graph {

// The words of a derivation, joined by blanks.
std::string derivation_text(const GraphView& graph, std::span<const std::uint32_t> edges,
                            const StringIndex& vocabulary);

// [sentences, scorer.size()] of the best derivation of each sentence under `weights`; zeros where
// there is none. Sentence s has the references of number s.
std::vector<std::int32_t> best_stats(const GraphPoolView& pool, const StringIndex& vocabulary,
                                     const metrics::SegmentScorer& scorer, const double* weights,
                                     int threads);

}  // namespace tunesmith::graph
