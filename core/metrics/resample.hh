// Corpus scores of resampled test sets: what significance tests and confidence intervals rest on.
// Trial t draws from its own stream of numbers, so the results do not depend on the threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "metrics/gain.hh"

namespace tunesmith::metrics {

// The statistics of one system: a row of gain.size() integers per segment.
using SystemStats = const std::int32_t*;

// out[trial][system]: the gain of `segments` segments drawn with replacement, the same for all
// systems (Koehn 2004).
void bootstrap_gains(const Gain& gain, const std::vector<SystemStats>& systems,
                     std::size_t segments, std::size_t trials, std::uint64_t seed, double* out,
                     int threads);

// out[trial][0..1]: the gains of two pseudo-systems made by exchanging the outputs of a pair of
// systems for each segment with probability 1/2 (Riezler & Maxwell 2005). Systems may have several
// runs each, equally many and paired (Clark et al. 2011): the gains are means over runs, a segment
// is exchanged in all runs, and the runs of a pair are exchanged as wholes with probability 1/2
// too.
void exchange_gains(const Gain& gain, const std::vector<SystemStats>& first,
                    const std::vector<SystemStats>& second, std::size_t segments,
                    std::size_t trials, std::uint64_t seed, double* out, int threads);

}  // namespace tunesmith::metrics
