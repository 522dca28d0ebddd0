// Hill climbing by line searches: what kb-mert does from each of its start points.
//
// Rounds of searches along all directions in random order; each goes to the best interval at
// once if that gains. A climb ends when no direction has gained since the last step.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tune/line_search/list_line_search.hh"

namespace tunesmith::tune {

struct ClimbOptions {
  // Neighbours on either side that an interval's score is averaged with (Cer et al. 2008).
  int window = 0;
  // The lowest score of the window instead of the mean.
  bool window_lowest = false;
  // Random directions beside the coordinates, drawn anew for each round.
  int random_directions = 0;
  // Rounds over all directions at most.
  int rounds = 100;
  std::uint64_t seed = 1;
  // [features] limits of the weights; equal limits fix a weight.
  std::vector<double> low, high;
};

struct Climb {
  std::vector<double> weights;
  // At the weights: the smoothed count if that was sought, else the exact score.
  double gain = 0.0;
  std::int64_t searches = 0;
};

// One climb over any space, which draws from the random stream `stream`.
Climb climb(LineSpace& space, std::span<const double> start, const ClimbOptions& options,
            std::uint64_t stream);

// Climbs over lists from each row of `starts` ([climbs, features], within the limits) in parallel.
// Climb i draws from the random stream `first + i`: neither threads nor batches change it.
// `sharpness` above 0: maximise the smoothed error count (Och 2003) with posteriors of this
// sharpness, for weights of length 1, instead of the score of the winners.
std::vector<Climb> climb(const PoolColumns& columns, const metrics::Gain& gain,
                         std::span<const double> starts, const ClimbOptions& options,
                         double sharpness, std::uint64_t first, int threads);

}  // namespace tunesmith::tune
