// Hope/fear MIRA on graphs: Algorithm 1 of Cherry & Foster 2012, one sentence at a time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "engine/companion.hh"
#include "graph/bleu_space.hh"

namespace tunesmith::tune {

struct GraphMiraOptions {
  double step_cap = 0.1;    // C, in standardised units
  double decay = 0.999;     // γ: what a sentence leaves of the pseudo-corpus before it
  double gain_scale = 1.0;  // BLEU_i is gain_scale · N · gain, as in BatchMira
  int beam = 10;            // of BleuSearch
  int threads = 1;          // with 2, hope and fear are sought at the same time
};

// The state that sentences hand on: weights, their running average, the pseudo-corpus.
//
// Weights are in the features' own units; steps are those of features divided by their scale.
class GraphMira {
 public:
  // `scale` is the size of every feature; `background` holds the statistics of `background_size`
  // sentences. The gain is borrowed.
  GraphMira(const metrics::Gain& gain, std::span<const double> start, std::span<const double> scale,
            std::span<const double> background, double background_size,
            const GraphMiraOptions& options);

  // Hope and fear of a sentence, then the step; the hinge loss before it. A sentence without
  // derivations is passed over.
  double visit(const graph::BleuSpace& space, std::int64_t sentence);
  // Visits the sentences in the given order; the mean loss.
  double run_pass(const graph::BleuSpace& space, std::span<const std::int64_t> order);

  const std::vector<double>& weights() const { return weights_; }
  // The mean of the weights that the sentences so far were met with.
  std::vector<double> average() const;
  double seen() const { return seen_; }
  const std::vector<double>& background() const { return background_; }
  double background_size() const { return background_size_; }

  // The hopes and fears so far, each once; of one space, if the passes were over one.
  struct Path {
    std::int64_t sentence;
    std::vector<std::uint32_t> edges;
  };
  const std::vector<Path>& paths() const { return paths_; }

 private:
  void keep_path(std::int64_t sentence, const std::vector<std::uint32_t>& edges);
  // δ += factor · h of the edges.
  void add_features(const graph::GraphView& graph, const std::vector<std::uint32_t>& edges,
                    double factor);

  const metrics::Gain& gain_;
  GraphMiraOptions options_;
  std::vector<double> weights_, scale_;
  // Σ over updates of (sentences met without it) × update: what the average must leave out.
  std::vector<double> missed_;
  double seen_ = 0.0;
  std::vector<double> background_;
  double background_size_;
  std::vector<Path> paths_;
  std::unordered_set<std::uint64_t> known_paths_;

  // Scratch for one sentence.
  graph::BleuDecoder hope_decoder_, fear_decoder_;
  engine::Companion companion_;
  std::vector<double> scores_, around_;
  std::vector<double> delta_;           // [features]
  std::vector<std::uint32_t> touched_;  // features of delta_, some more than once
};

}  // namespace tunesmith::tune
