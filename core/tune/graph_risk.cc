#include "tune/graph_risk.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/parallel.hh"
#include "tune/lbfgs.hh"

namespace tunesmith::tune {

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

// log(exp(a) + exp(b))
double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  return b == kNothing ? a : a + std::log1p(std::exp(b - a));
}

}  // namespace

// All transitions of a graph, with the places of their heads and tails.
class GraphRisk::Walker {
 public:
  Walker(const graph::GraphView& graph, const graph::BleuGraph& bleu) : graph_(graph), bleu_(bleu) {
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

  const graph::GraphView& graph_;
  const graph::BleuGraph& bleu_;
  std::vector<std::uint32_t> first_;  // [nodes + 1] places
  std::vector<std::uint32_t> tails_;
};

GraphRisk::GraphRisk(const graph::BleuSpace& space, const metrics::Gain& gain,
                     std::span<const double> scale, double factor, double l2, int threads)
    : space_(space),
      gain_(gain),
      scale_(scale.begin(), scale.end()),
      factor_(factor),
      l2_(l2),
      threads_(threads),
      weights_(scale.size()),
      sentences_(space.sentences()),
      sums_(gain.size()),
      slopes_(gain.size()) {
  for (std::size_t s = 0; s < sentences_.size(); ++s) {
    const graph::GraphView& graph = space.graph(static_cast<std::int64_t>(s));
    auto& features = sentences_[s].features;
    features.assign(graph.feature_ids.begin(), graph.feature_ids.end());
    std::sort(features.begin(), features.end());
    features.erase(std::unique(features.begin(), features.end()), features.end());
    features.shrink_to_fit();
  }
}

double GraphRisk::operator()(std::span<const double> weights, std::span<double> gradient) {
  for (std::size_t f = 0; f < weights_.size(); ++f) weights_[f] = weights[f] / scale_[f];
  engine::parallel_for(sentences_.size(), threads_, [&](std::size_t s) { expect(s); }, 4);
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (const Sentence& sentence : sentences_)
    for (std::size_t k = 0; k < sentence.stats.size(); ++k) sums_[k] += sentence.stats[k];
  linearise();
  engine::parallel_for(sentences_.size(), threads_, [&](std::size_t s) { differentiate(s); }, 4);
  double objective = -factor_ * gain_(sums_.data());
  for (std::size_t f = 0; f < weights.size(); ++f) {
    objective += 0.5 * l2_ * weights[f] * weights[f];
    gradient[f] = l2_ * weights[f];
  }
  for (const Sentence& sentence : sentences_)
    for (std::size_t i = 0; i < sentence.gradient.size(); ++i)
      gradient[sentence.features[i]] -=
          factor_ * sentence.gradient[i] / scale_[sentence.features[i]];
  return objective;
}

void GraphRisk::expect(std::size_t s) {
  const auto id = static_cast<std::int64_t>(s);
  const graph::GraphView& graph = space_.graph(id);
  if (graph.empty()) return;
  const graph::BleuGraph& bleu = space_.bleu(id);
  Sentence& sentence = sentences_[s];
  sentence.scores.resize(graph.edges());
  for (std::uint32_t e = 0; e < graph.edges(); ++e)
    sentence.scores[e] = graph.score(e, weights_.data());

  Walker walker(graph, bleu);
  auto& inside = sentence.inside;
  auto& outside = sentence.outside;
  inside.assign(walker.places(), kNothing);
  walker.up([&](std::uint32_t edge, std::uint64_t, std::uint32_t head) {
    double total = sentence.scores[edge];
    for (const std::uint32_t tail : walker.tails()) total += inside[tail];
    inside[head] = log_add(inside[head], total);
  });
  outside.assign(walker.places(), kNothing);
  double all = kNothing;
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place) {
    outside[place] = 0.0;
    all = log_add(all, inside[place]);
  }
  sentence.counts.assign(bleu.ngrams().bits(), 0.0);
  sentence.length = 0.0;
  walker.down([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    if (outside[head] == kNothing) return;
    double total = sentence.scores[edge] + outside[head];
    for (const std::uint32_t tail : walker.tails()) total += inside[tail];
    for (const std::uint32_t tail : walker.tails())
      outside[tail] = log_add(outside[tail], total - inside[tail]);
    const double posterior = std::exp(total - all);
    sentence.length += posterior * bleu.length(edge);
    for (const graph::BleuGraph::Match& match : bleu.matches(transition))
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

void GraphRisk::linearise() {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    // Relative: an expected count may be tiny, and BLEU bends most there.
    const double here = sums_[k], step = 1e-4 * (here > 0.0 ? here : 1.0);
    sums_[k] = here + step;
    const double above = gain_(sums_.data());
    sums_[k] = here - step;
    slopes_[k] = (above - gain_(sums_.data())) / (2.0 * step);
    sums_[k] = here;
  }
}

void GraphRisk::differentiate(std::size_t s) {
  const auto id = static_cast<std::int64_t>(s);
  const graph::GraphView& graph = space_.graph(id);
  if (graph.empty()) return;
  const graph::BleuGraph& bleu = space_.bleu(id);
  Sentence& sentence = sentences_[s];
  const auto& inside = sentence.inside;
  const auto& outside = sentence.outside;
  const int order = bleu.ngrams().order();
  double word = slopes_[2 * order] * space_.scorer().length_unit();
  for (int n = 0; n < order; ++n) word += sentence.length > n ? slopes_[order + n] : 0.0;
  const auto gain_of = [&](std::uint32_t edge, std::uint64_t transition) {
    double gain = word * bleu.length(edge);
    for (const graph::BleuGraph::Match& match : bleu.matches(transition))
      if (sentence.counts[match.first_bit] < match.count)
        gain += slopes_[match.order] * match.times;
    return gain;
  };

  // Expected linear gain inside and outside of every place.
  Walker walker(graph, bleu);
  auto& within = sentence.gain_inside;
  auto& around = sentence.gain_outside;
  within.assign(walker.places(), 0.0);
  walker.up([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    double total = sentence.scores[edge], gain = gain_of(edge, transition);
    for (const std::uint32_t tail : walker.tails()) {
      total += inside[tail];
      gain += within[tail];
    }
    within[head] += std::exp(total - inside[head]) * gain;
  });
  double all = kNothing, mean = 0.0;
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place)
    all = log_add(all, inside[place]);
  for (std::size_t place = walker.goal_begin(); place < walker.places(); ++place)
    mean += std::exp(inside[place] - all) * within[place];
  around.assign(walker.places(), 0.0);
  std::vector<double> edge_sums(graph.edges(), 0.0);  // Σ P(t) (E[gain | t] − E[gain])
  walker.down([&](std::uint32_t edge, std::uint64_t transition, std::uint32_t head) {
    if (outside[head] == kNothing) return;
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

double GraphRisk::descend(std::vector<double>& weights, int iterations) {
  // The brevity penalty and the clipping of counts have kinks, and optima like to be in one.
  const LbfgsOptions options{.iterations = iterations, .trials = 12, .tolerance = 1e-5};
  return minimise([this](std::span<const double> x,
                         std::span<double> gradient) { return (*this)(x, gradient); },
                  weights, options)
      .value;
}

}  // namespace tunesmith::tune
