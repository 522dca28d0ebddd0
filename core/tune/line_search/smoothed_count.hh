// Och's (2003) smoothed error count: every hypothesis counts by its posterior.
#pragma once

#include "metrics/gain.hh"
#include "tune/line_search/pool_columns.hh"

namespace tunesmith::tune {

// The gain of Σ_s Σ_i p_i stats_i with p_i ∝ exp(sharpness · (scores[i] + step · slopes[i])),
// normalised in each sentence. Large values of sharpness approach the score of the winners.
double smoothed_gain(const PoolColumns& columns, const metrics::Gain& gain, const double* scores,
                     const float* slopes, double step, double sharpness);
double smoothed_gain(const PoolColumns& columns, const metrics::Gain& gain, const double* scores,
                     const double* slopes, double step, double sharpness);

}  // namespace tunesmith::tune
