// Och's line search extended to structural SVMs (Hayashi, Watanabe, Tsukada & Isozaki 2009).
//
// With e* the oracle configuration (one hypothesis per sentence), minimise over w
//
//   S-slack   λ/2 ‖w‖² + 1/S Σ_s max_e [Δ_s(e) + w·h(e) − w·h(e*_s)]        (Algorithm 3)
//   1-slack   λ/2 ‖w‖² + max(0, Δ(ê) + 1/S Σ_s [w·h(ê_s) − w·h(e*_s)])      (Algorithm 4)
//
// where ê_s = argmax_e w·h(e) and Δ is Q times the gain that is lost: by one substitution into e*
// (S-slack; Δ_s(e*_s) = 0, so that the maximum is never below 0), or by the whole configuration.
// What ê is chosen from is given by the columns, with the oracle or without it.
// Along a feature both are a parabola between two changes of the maximising hypotheses.
//
// Two departures from the text. It tries a point ε left of each change, and one right of the last;
// here the lowest point of each interval is taken, which is never worse; `right_ends` restores the
// text's points. And Algorithm 3 steps after every sentence: as the changes are kept in
// coordinates of the whole line, the last of these steps, over all sentences, decides alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/gain.hh"
#include "tune/line_search/line_walk.hh"

namespace tunesmith::tune {

struct SlackProblem {
  const PoolColumns* columns = nullptr;
  std::vector<double> oracle;  // [features] Σ_s h(e*_s)
  double l2 = 1.0;             // λ
  // S-slack: [slots] Δ_s(e), 0 for the oracle. 1-slack: empty.
  std::vector<double> losses;
  // 1-slack: Δ = scale · (oracle_gain − gain). S-slack: no gain.
  const metrics::Gain* gain = nullptr;
  double scale = 0.0, oracle_gain = 0.0;
  // Try only the right ends of intervals, as the paper does.
  bool right_ends = false;
};

class SlackSearch {
 public:
  // Points are this far, relative to max(1, |α|), from the ends of their intervals (the paper's ε).
  static constexpr double kInside = 1e-6;

  explicit SlackSearch(const SlackProblem& problem);

  void start(const double* weights);
  const std::vector<double>& weights() const { return walk_.weights(); }
  // The objective at the weights.
  double objective() const { return objective_; }

  struct Point {
    double step, objective;
  };
  // The lowest point along a feature, 0 among them.
  Point lowest_along(int feature);
  void move(int feature, double step);

 private:
  void settle();
  double loss(const std::vector<double>& sums) const;
  double objective_of(double squared, double margin, double loss) const;

  // The objective between two changes: intercept / S + α slope / S + loss + λ/2 ‖w + α d‖².
  struct Piece {
    double from, to;
    double intercept, slope, loss;
  };
  // The pieces on one side of the one at 0, which is given.
  void sweep(const std::vector<Change>& changes, double end, int feature, Piece piece,
             Point& lowest);
  void visit(int feature, const Piece& piece, Point& lowest) const;

  const SlackProblem& problem_;
  const PoolColumns& columns_;
  LineWalk walk_;
  double margin_ = 0.0;                // Σ_s of the brackets
  std::vector<double> sums_, moving_;  // [statistics], 1-slack only
  double squared_ = 0.0;               // ‖w‖²
  double objective_ = 0.0;
  std::vector<Change> scratch_;
};

struct SlackClimb {
  std::vector<double> weights;
  double objective = 0.0;
  std::int64_t searches = 0;
};

// Rounds of searches along the features in random order, until none lowers the objective or
// `rounds` are over; from each row of `starts`, in parallel, with the random stream of its number.
std::vector<SlackClimb> slack_climb(const SlackProblem& problem, std::span<const double> starts,
                                    int rounds, std::uint64_t seed, int threads);

}  // namespace tunesmith::tune
