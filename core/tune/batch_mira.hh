// Hope/fear MIRA on k-best lists: Algorithm 1 of Cherry & Foster 2012, one pass at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/pool.hh"
#include "metrics/gain.hh"
#include "tune/stat_groups.hh"

namespace tunesmith::tune {

struct MiraOptions {
  double step_cap = 0.1;  // C: no update is longer than C · (h_hope − h_fear)
  double decay = 0.999;   // γ: what a sentence leaves of the pseudo-corpus before it
  double gain_scale = 1.0;
};

// The state that passes hand on: weights, their running average, the pseudo-corpus.
//
// BLEU_i(e) of the paper is gain_scale · N · gain(BG + stats(e)), where N counts the sentences in
// BG + e, with the same decay as BG itself. The factor N undoes that one sentence moves a corpus
// score by about 1/N only; it is Chiang's (2008) length of the pseudo-document, counted in
// sentences instead of words so that it means the same for every metric.
class BatchMira {
 public:
  // `background` holds the statistics of one typical sentence; the pool and gain are borrowed.
  BatchMira(const PoolView& pool, const metrics::Gain& gain, std::span<const double> start,
            std::span<const double> background, const MiraOptions& options, int threads);

  // From now on every step ends within limits: weight places[i] from low[i] to high[i].
  void keep_within(std::span<const std::int64_t> places, std::span<const double> low,
                   std::span<const double> high);

  // Visits the sentences in the given order; the mean hinge loss before each update.
  double run_pass(std::span<const std::int64_t> order);

  const PoolView& pool() const { return pool_; }
  // The mean of the weights that the sentences so far were met with.
  std::vector<double> average() const;

 private:
  struct Choice {
    std::int64_t row;
    std::int64_t group;
    double score;  // w · h
    double gain;   // BLEU_i
  };

  double visit(std::int64_t sentence);
  void put_within_limits();
  void score_groups(std::int64_t sentence);
  // The first row of the highest w · h + sign × BLEU_i.
  Choice choose(std::int64_t sentence, double sign) const;
  // The first row of a group that has the group's score.
  std::int64_t best_row(std::int64_t sentence, std::int64_t group) const;

  const PoolView& pool_;
  const metrics::Gain& gain_;
  MiraOptions options_;
  StatGroups groups_;
  std::vector<double> weights_;
  // Σ over updates of (sentences met without it) × update: what the average must leave out.
  std::vector<double> missed_;
  double seen_ = 0.0;
  struct Limit {
    std::size_t place;
    double low, high;
  };
  std::vector<Limit> limits_;
  std::vector<double> background_;
  double background_size_ = 1.0;

  // Scratch for one sentence.
  std::vector<double> scores_;        // by row: w · h
  std::vector<double> group_scores_;  // by group: the highest of its rows
  std::vector<double> group_gains_;   // by group: BLEU_i
  std::vector<double> sums_;
};

}  // namespace tunesmith::tune
