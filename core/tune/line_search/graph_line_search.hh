// Och's (2003) exact line search on graphs (Macherey et al. 2008): the corpus score along w + α d,
// where every derivation of a graph is a line.
//
// Envelopes of the graphs say where winners change; the rest is the line search of lists. Every
// derivation that was on an envelope, or won at a place, is remembered with its statistics.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/string_index.hh"
#include "graph/graph_envelope.hh"
#include "graph/graph_pool.hh"
#include "metrics/scorer.hh"
#include "tune/line_search/line_sweep.hh"

namespace tunesmith::tune {

class GraphLineSearch final : public LineSpace {
 public:
  // Graph s has the references of sentence s. Features are divided by `scale`: weights, directions
  // and steps are those of standardised features. Pool, vocabulary, scorer and gain must outlive
  // the search. Sentences without derivations are passed over.
  GraphLineSearch(const graph::GraphPoolView& pool, const StringIndex& vocabulary,
                  const metrics::SegmentScorer& scorer, const metrics::Gain& gain,
                  std::span<const double> scale, int threads);

  int features() const override { return static_cast<int>(pool_.features); }
  void start(const double* weights) override;
  void move(int feature, double step) override;
  void move(const double* direction, double step) override;
  const std::vector<Interval>& along(int feature, Range range = {}) override;
  const std::vector<Interval>& along(const double* direction, Range range = {}) override;
  std::size_t here() const override { return sweep_.here(); }
  const std::vector<double>& weights() const override { return weights_; }
  double gain() const override { return gain_here_; }

  std::int64_t sentences() const { return static_cast<std::int64_t>(found_.size()); }
  // The derivations met so far of a sentence, in the order of meeting.
  const std::vector<std::vector<std::uint32_t>>& derivations(std::int64_t sentence) const {
    return found_[sentence].derivations;
  }

 private:
  // What is known of a sentence.
  struct Sentence {
    std::unordered_map<std::uint64_t, std::uint32_t> known;  // key of edges → number
    std::vector<std::vector<std::uint32_t>> derivations;
    std::vector<std::int32_t> stats;                           // [derivations, size]
    std::unordered_map<std::uint64_t, std::uint32_t> kind_of;  // key of statistics → kind
    std::vector<std::uint32_t> kinds;  // [derivations] in kind_stats_, once they are there
    std::uint32_t winner = 0;          // at the weights
    std::vector<Change> left, right;   // of the last look; numbers of derivations
  };

  const std::vector<Interval>& look(Range range);
  void settle();
  // The number of a derivation, new or old.
  std::uint32_t number_of(std::size_t sentence, const std::vector<std::uint32_t>& edges);
  void find_changes(std::size_t sentence, const graph::GraphEnvelope& envelope, Range range);
  // Gives kinds to all new derivations, sentence by sentence.
  void add_kinds();

  const graph::GraphPoolView& pool_;
  const StringIndex& vocabulary_;
  const metrics::SegmentScorer& scorer_;
  const metrics::Gain& gain_;
  int threads_;
  int size_;  // statistics, up to a multiple of 4
  std::vector<graph::GraphView> graphs_;
  std::vector<std::size_t> first_edges_;  // of the sentences
  std::vector<double> scale_, weights_;
  std::vector<double> raw_;     // weights or a direction for features as they are
  std::vector<double> slopes_;  // [edges] d · h
  std::vector<double> scores_;  // [edges] w · h
  std::vector<Sentence> found_;
  std::vector<std::int32_t> kind_stats_;
  std::vector<double> sums_;
  double gain_here_ = 0.0;
  std::vector<Change> left_, right_;
  LineSweep sweep_;
};

}  // namespace tunesmith::tune
