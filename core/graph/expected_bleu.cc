#include "graph/expected_bleu.hh"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/parallel.hh"
#include "graph/log_space.hh"

namespace tunesmith::graph {

// All transitions of a graph, with the places of their heads and tails.
class ExpectedBleu::Walker {
 public:
  Walker(const GraphView& graph, const BleuGraph& bleu) : graph_(graph), bleu_(bleu) {
    first_.push_back(0);
    for (std::uint32_t node = 0; node < graph.nodes(); ++node)
      first_.push_back(first_.back() + bleu.states(node));
  }

  std::size_t places() const { return first_.back(); }
  std::span<const std::uint32_t> tails() const { return tails_; }

  // Calls visit(edge, transition, place of the head) for the edges of every node; tails() are the
  // places of the tails meanwhile.
  template <typename Visit>
  void up(const Visit& visit) {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) edges_of(node, visit);
  }
  // The same from the goal down.
  template <typename Visit>
  void down(const Visit& visit) {
    for (std::uint32_t node = graph_.nodes(); node-- > 0;) edges_of(node, visit);
  }
  std::uint32_t goal_begin() const { return first_[graph_.goal()]; }

 private:
  template <typename Visit>
  void edges_of(std::uint32_t node, const Visit& visit) {
    for (std::uint32_t e = graph_.first_edge(node); e < graph_.end_edge(node); ++e) {
      const auto tails = graph_.tails_of(e);
      tails_.clear();
      std::uint64_t combinations = 1;
      for (const std::uint32_t tail : tails) {
        tails_.push_back(first_[tail]);
        combinations *= bleu_.states(tail);
      }
      for (std::uint64_t c = 0; c < combinations; ++c) {
        const std::uint64_t transition = bleu_.transition(e, c);
        visit(e, transition, first_[node] + bleu_.target(transition));
        for (std::size_t t = 0; t < tails.size(); ++t) {  // the first tail changes fastest
          if (++tails_[t] < first_[tails[t] + 1]) break;
          tails_[t] = first_[tails[t]];
        }
      }
    }
  }

  const GraphView& graph_;
  const BleuGraph& bleu_;
  std::vector<std::uint32_t> first_;  // [nodes + 1] places
  std::vector<std::uint32_t> tails_;
};

ExpectedBleu::ExpectedBleu(const BleuSpace& space, const metrics::Gain& gain, int threads)
    : space_(space),
      gain_(gain),
      threads_(threads),
      sentences_(space.sentences()),
      sums_(gain.size()),
      slopes_(gain.size()) {
  for (std::size_t s = 0; s < sentences_.size(); ++s) {
    const GraphView& graph = space.graph(static_cast<std::int64_t>(s));
    auto& features = sentences_[s].features;
    features.assign(graph.feature_ids.begin(), graph.feature_ids.end());
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    features.shrink_to_fit();
  }
}

const std::vector<double>& ExpectedBleu::expect(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  engine::parallel_for(sentences_.size(), threads_, [&](std::size_t s) { expect_sentence(s); }, 4);
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (const Sentence& sentence : sentences_)
    for (std::size_t k = 0; k < sentence.stats.size(); ++k) sums_[k] += sentence.stats[k];
  return sums_;
}

void ExpectedBleu::differentiate(std::span<const double> sums) {
  linearise(sums);
  engine::parallel_for(
      sentences_.size(), threads_, [&](std::size_t s) { differentiate_sentence(s); }, 4);
}

FeatureSum ExpectedBleu::total_gradient() const {
  std::vector<std::pair<std::uint32_t, double>> terms;
  for (const Sentence& sentence : sentences_)
    for (std::size_t i = 0; i < sentence.gradient.size(); ++i)
      terms.emplace_back(sentence.features[i], sentence.gradient[i]);
  std::ranges::stable_sort(terms, {}, &std::pair<std::uint32_t, double>::first);
  FeatureSum total;
  for (const auto& [id, value] : terms) {
    if (total.ids.empty() || total.ids.back() != id) {
      total.ids.push_back(id);
      total.values.push_back(0.0);
    }
    total.values.back() += value;
  }
  return total;
}

void ExpectedBleu::expect_sentence(std::size_t s) {
  const auto id = static_cast<std::int64_t>(s);
  const GraphView& graph = space_.graph(id);
  if (graph.empty()) return;
  const BleuGraph& bleu = space_.bleu(id);
  Sentence& sentence = sentences_[s];
  sentence.scores.resize(graph.edges());
  for (std::uint32_t e = 0; e < graph.edges(); ++e)
    sentence.scores[e] = graph.score(e, weights_.data());

  Walker walker(graph, bleu);
  auto& inside = sentence.inside;
  auto& outside = sentence.outside;
  inside.assign(walker.places(), kLogZero);
  walker.up([&](std::uint32_t edge, std::uint64_t, std::uint32_t head) {
    double total = sentence.scores[edge];
    for (const std::uint32_t tail : walker.tails()) total += inside[tail];
    inside[head] = log_add(inside[head], total);
  });
  outside.assign(walker.places(), kLogZero);
  double all = kLogZero;
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place) {
    outside[place] = 0.0;
    all = log_add(all, inside[place]);
  }
  sentence.counts.assign(bleu.ngrams().bits(), 0.0);
  sentence.length = 0.0;
  walker.down([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    if (outside[head] == kLogZero) return;
    double total = sentence.scores[edge] + outside[head];
    for (const std::uint32_t tail : walker.tails()) total += inside[tail];
    for (const std::uint32_t tail : walker.tails())
      outside[tail] = log_add(outside[tail], total - inside[tail]);
    const double posterior = std::exp(total - all);
    sentence.length += posterior * bleu.length(edge);
    for (const BleuGraph::Match& match : bleu.matches(transition))
      sentence.counts[match.first_bit] += posterior * match.times;
  });

  const int order = bleu.ngrams().order();
  sentence.stats.assign(gain_.size(), 0.0);
  for (std::uint32_t bit = 0; bit < bleu.ngrams().bits(); ++bit) {
    const std::int32_t ngram = bleu.ngrams().owner(bit);
    if (bleu.ngrams().first_bit(ngram) != bit) continue;
    sentence.stats[bleu.ngrams().depth(ngram) - 1] +=
        std::min(sentence.counts[bit], static_cast<double>(bleu.ngrams().count(ngram)));
  }
  for (int n = 0; n < order; ++n) sentence.stats[order + n] = std::max(sentence.length - n, 0.0);
  sentence.stats[2 * order] = sentence.length * space_.scorer().length_unit();
  std::vector<std::int32_t> known(gain_.size(), 0);
  bleu.scorer().complete(bleu.sentence(), static_cast<std::int32_t>(std::lround(sentence.length)),
                         known.data());
  sentence.stats[2 * order + 1] = known[2 * order + 1];
}

void ExpectedBleu::linearise(std::span<const double> sums) {
  std::vector<double> at(sums.begin(), sums.end());
  for (std::size_t k = 0; k < at.size(); ++k) {
    // Relative: an expected count may be tiny, and BLEU bends most there.
    const double here = at[k], step = 1e-4 * (here > 0.0 ? here : 1.0);
    at[k] = here + step;
    const double above = gain_(at.data());
    at[k] = here - step;
    slopes_[k] = (above - gain_(at.data())) / (2.0 * step);
    at[k] = here;
  }
}

void ExpectedBleu::differentiate_sentence(std::size_t s) {
  const auto id = static_cast<std::int64_t>(s);
  const GraphView& graph = space_.graph(id);
  if (graph.empty()) return;
  const BleuGraph& bleu = space_.bleu(id);
  Sentence& sentence = sentences_[s];
  const auto& inside = sentence.inside;
  const auto& outside = sentence.outside;
  const int order = bleu.ngrams().order();
  double word = slopes_[2 * order] * space_.scorer().length_unit();
  for (int n = 0; n < order; ++n) word += sentence.length > n ? slopes_[order + n] : 0.0;
  const auto gain_of = [&](std::uint32_t edge, std::uint64_t transition) {
    double gain = word * bleu.length(edge);
    for (const BleuGraph::Match& match : bleu.matches(transition))
      if (sentence.counts[match.first_bit] < match.count)
        gain += slopes_[match.order] * match.times;
    return gain;
  };

  // Expected linear gain inside and outside of every place.
  Walker walker(graph, bleu);
  auto& within = sentence.gain_inside;
  auto& around = sentence.gain_outside;
  auto& best = sentence.gain_best;
  within.assign(walker.places(), 0.0);
  best.assign(walker.places(), kLogZero);
  walker.up([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    double total = sentence.scores[edge], gain = gain_of(edge, transition), most = gain;
    for (const std::uint32_t tail : walker.tails()) {
      total += inside[tail];
      gain += within[tail];
      most += best[tail];
    }
    within[head] += std::exp(total - inside[head]) * gain;
    best[head] = std::max(best[head], most);
  });
  double all = kLogZero, mean = 0.0, most = kLogZero;
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place)
    all = log_add(all, inside[place]);
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place)
    mean += std::exp(inside[place] - all) * within[place];
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place)
    most = std::max(most, best[place]);
  sentence.lacks = most - mean;
  around.assign(walker.places(), 0.0);
  std::vector<double> edge_sums(graph.edges(), 0.0);  // Σ P(t) (E[gain | t] − E[gain])
  walker.down([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    if (outside[head] == kLogZero) return;
    double total = sentence.scores[edge] + outside[head];
    double gain = around[head] + gain_of(edge, transition);
    for (const std::uint32_t tail : walker.tails()) {
      total += inside[tail];
      gain += within[tail];
    }
    for (const std::uint32_t tail : walker.tails())
      around[tail] += std::exp(total - inside[tail] - outside[tail]) * (gain - within[tail]);
    edge_sums[edge] += std::exp(total - all) * (gain - mean);
  });
  const auto& features = sentence.features;
  sentence.gradient.assign(features.size(), 0.0);
  for (std::uint32_t e = 0; e < graph.edges(); ++e) {
    const auto ids = graph.ids_of(e);
    const auto values = graph.values_of(e);
    std::size_t place = 0;  // both are ascending
    for (std::size_t i = 0; i < ids.size(); ++i) {
      place = static_cast<std::size_t>(
          std::lower_bound(features.begin() + static_cast<std::ptrdiff_t>(place), features.end(),
                           ids[i]) -
          features.begin());
      sentence.gradient[place] += edge_sums[e] * values[i];
    }
  }
}

}  // namespace tunesmith::graph
