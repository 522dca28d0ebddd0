// The graphs of all sentences with their references: where hope, fear and the oracle are found.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/string_index.hh"
#include "graph/bleu_graph.hh"
#include "graph/bleu_search.hh"
#include "graph/graph_pool.hh"
#include "metrics/bleu.hh"
#include "metrics/gain.hh"

namespace tunesmith::graph {

class BleuSpace {
 public:
  // Graph s has the references of sentences[s]. Pool, vocabulary and scorer must outlive this; the
  // scorer must take words (BleuScorer::takes_words).
  BleuSpace(const GraphPoolView& pool, const StringIndex& vocabulary,
            const metrics::BleuScorer& scorer, std::span<const std::uint32_t> sentences,
            int threads);
  BleuSpace(const BleuSpace&) = delete;
  BleuSpace& operator=(const BleuSpace&) = delete;

  std::int64_t sentences() const { return static_cast<std::int64_t>(bleu_.size()); }
  const GraphPoolView& pool() const { return pool_; }
  const GraphView& graph(std::int64_t sentence) const { return graphs_[sentence]; }
  const BleuGraph& bleu(std::int64_t sentence) const { return *bleu_[sentence]; }
  const metrics::BleuScorer& scorer() const { return scorer_; }

 private:
  const GraphPoolView& pool_;
  const metrics::BleuScorer& scorer_;
  std::vector<GraphView> graphs_;
  std::vector<std::unique_ptr<BleuGraph>> bleu_;
};

// factor × gain(background + statistics) is added to the score of a derivation; `around` are the
// sums where the gain is made linear.
struct BleuObjective {
  const metrics::Gain* gain;
  std::span<const double> background;
  std::span<const double> around;
  double factor;
};

// A derivation that was chosen.
struct BleuChoice {
  std::vector<std::uint32_t> edges;  // tails before heads
  std::vector<std::int32_t> stats;
  double score = 0.0;  // Σ of its edges' scores
  double gain = 0.0;   // factor × gain
};

// Finds the derivation of the highest score + factor × gain, among the goal's items of a
// BleuSearch.
class BleuDecoder {
 public:
  explicit BleuDecoder(int beam) : search_(beam) {}

  // The graph must not be empty.
  const BleuChoice& best(const BleuSpace& space, std::int64_t sentence,
                         std::span<const double> scores, const BleuObjective& objective);

 private:
  void linearise(const metrics::BleuScorer& scorer, const BleuObjective& objective);

  BleuSearch search_;
  LinearBleu linear_;
  BleuChoice choice_;
  std::vector<std::int32_t> stats_;
  std::vector<double> sums_;
};

// The derivations with the highest corpus gain that greedy substitution finds: sentence after
// sentence takes what lifts the gain of all choices most, until a sweep changes nothing (Venugopal
// & Vogel 2005, on graphs). Starts from the best derivations under `weights`, of which ties are
// decided; a sentence without derivations has no edges in the result.
std::vector<BleuChoice> graph_oracle(const BleuSpace& space, const metrics::Gain& gain,
                                     std::span<const double> weights, int beam);

}  // namespace tunesmith::graph
