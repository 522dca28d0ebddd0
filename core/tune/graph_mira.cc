#include "tune/graph_mira.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::tune {

GraphMira::GraphMira(const metrics::Gain& gain, std::span<const double> start,
                     std::span<const double> scale, std::span<const double> background,
                     double background_size, const GraphMiraOptions& options)
    : gain_(gain),
      options_(options),
      weights_(start.begin(), start.end()),
      scale_(scale.begin(), scale.end()),
      missed_(start.size(), 0.0),
      background_(background.begin(), background.end()),
      background_size_(background_size),
      hope_decoder_(options.beam),
      fear_decoder_(options.beam),
      companion_(options.threads),
      around_(background.size()),
      delta_(start.size(), 0.0) {}

double GraphMira::run_pass(const graph::BleuSpace& space, std::span<const std::int64_t> order) {
  double loss = 0.0;
  for (const std::int64_t sentence : order) loss += visit(space, sentence);
  return order.empty() ? 0.0 : loss / static_cast<double>(order.size());
}

std::vector<double> GraphMira::average() const {
  std::vector<double> mean = weights_;
  if (seen_ > 0.0)
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] -= missed_[i] / seen_;
  return mean;
}

double GraphMira::visit(const graph::BleuSpace& space, std::int64_t sentence) {
  const graph::GraphView& graph = space.graph(sentence);
  if (graph.empty()) return 0.0;
  scores_.resize(graph.edges());
  for (std::uint32_t e = 0; e < graph.edges(); ++e) scores_[e] = graph.score(e, weights_.data());
  // Linear around the pseudo-corpus with one more sentence of its kind.
  for (std::size_t k = 0; k < around_.size(); ++k)
    around_[k] = background_[k] * (1.0 + 1.0 / background_size_);
  const double factor = options_.gain_scale * (background_size_ + 1.0);

  const graph::BleuChoice* hope = nullptr;
  const graph::BleuChoice* fear = nullptr;
  companion_.both(
      [&] {
        hope =
            &hope_decoder_.best(space, sentence, scores_, {&gain_, background_, around_, factor});
      },
      [&] {
        fear =
            &fear_decoder_.best(space, sentence, scores_, {&gain_, background_, around_, -factor});
      });
  keep_path(sentence, hope->edges);
  keep_path(sentence, fear->edges);
  add_features(graph, hope->edges, 1.0);
  add_features(graph, fear->edges, -1.0);
  // The fear's gain is negated.
  const double loss = (hope->gain + fear->gain) + (fear->score - hope->score);

  for (std::size_t k = 0; k < background_.size(); ++k)
    background_[k] = options_.decay * background_[k] + hope->stats[k];
  background_size_ = options_.decay * background_size_ + 1.0;

  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  double distance = 0.0;
  for (const std::uint32_t f : touched_)
    distance += (delta_[f] / scale_[f]) * (delta_[f] / scale_[f]);
  const double step =
      loss > 0.0 && distance > 0.0 ? std::min(options_.step_cap, loss / distance) : 0.0;
  for (const std::uint32_t f : touched_) {
    const double change = step * delta_[f] / (scale_[f] * scale_[f]);
    weights_[f] += change;
    missed_[f] += change * (seen_ + 1.0);
    delta_[f] = 0.0;
  }
  touched_.clear();
  seen_ += 1.0;
  return std::max(loss, 0.0);
}

void GraphMira::add_features(const graph::GraphView& graph, const std::vector<std::uint32_t>& edges,
                             double factor) {
  for (const std::uint32_t e : edges) {
    graph.add_to(delta_.data(), e, factor);
    const auto ids = graph.ids_of(e);
    touched_.insert(touched_.end(), ids.begin(), ids.end());
  }
}

void GraphMira::keep_path(std::int64_t sentence, const std::vector<std::uint32_t>& edges) {
  std::uint64_t key = mix64(static_cast<std::uint64_t>(sentence));
  for (const std::uint32_t e : edges) key = hash_combine(key, e);
  if (known_paths_.insert(key).second) paths_.push_back({sentence, edges});
}

}  // namespace tunesmith::tune
