#include "graph/prune.hh"

#include <algorithm>
#include <numeric>

#include "graph/derivation.hh"
#include "graph/viterbi.hh"

namespace tunesmith::graph {
namespace {

// Marks edges together with the best derivation through them. A node whose best inside (or
// outside) has been marked before is not walked again, so all marks cost one pass in total.
class Marker {
 public:
  Marker(const GraphView& graph, const BestInside& inside, const BestOutside& outside)
      : graph_(graph),
        inside_(inside),
        outside_(outside),
        keep_(graph.edges(), 0),
        below_(graph.nodes(), 0),
        above_(graph.nodes(), 0) {}

  std::vector<std::uint8_t>& keep() { return keep_; }
  std::size_t kept() const { return kept_; }

  // Marks the edge and what the best derivation through it needs, unless more than `max_edges`
  // would be kept then; whether it did.
  bool mark(std::uint32_t edge, std::size_t max_edges) {
    marked_.clear();
    nodes_below_.clear();
    nodes_above_.clear();
    take(edge, BestOutside::kNone);
    std::uint32_t head = head_of(graph_, edge);
    while (head != graph_.goal() && above_[head] == 0) {
      above_[head] = 1;
      nodes_above_.push_back(head);
      const std::uint32_t above = outside_.above[head];
      take(above, head);
      head = head_of(graph_, above);
    }
    if (kept_ <= max_edges) return true;
    for (const std::uint32_t e : marked_) keep_[e] = 0;
    for (const std::uint32_t node : nodes_below_) below_[node] = 0;
    for (const std::uint32_t node : nodes_above_) above_[node] = 0;
    kept_ -= marked_.size();
    return false;
  }

 private:
  // The edge and the best derivations of its tails, but of one that is `made` already.
  void take(std::uint32_t edge, std::uint32_t made) {
    set(edge);
    open_.assign(graph_.tails_of(edge).begin(), graph_.tails_of(edge).end());
    const auto found = std::find(open_.begin(), open_.end(), made);
    if (found != open_.end()) open_.erase(found);
    while (!open_.empty()) {
      const std::uint32_t node = open_.back();
      open_.pop_back();
      if (below_[node] != 0) continue;
      below_[node] = 1;
      nodes_below_.push_back(node);
      set(inside_.edge[node]);
      const auto tails = graph_.tails_of(inside_.edge[node]);
      open_.insert(open_.end(), tails.begin(), tails.end());
    }
  }
  void set(std::uint32_t edge) {
    if (keep_[edge] != 0) return;
    keep_[edge] = 1;
    ++kept_;
    marked_.push_back(edge);
  }
  const GraphView& graph_;
  const BestInside& inside_;
  const BestOutside& outside_;
  std::vector<std::uint8_t> keep_, below_, above_;
  std::size_t kept_ = 0;
  std::vector<std::uint32_t> marked_, nodes_below_, nodes_above_, open_;  // of the current call
};

std::vector<double> marginals(const GraphView& graph, std::span<const double> scores,
                              const BestInside& inside, const BestOutside& outside) {
  std::vector<double> values(scores.begin(), scores.end());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node)
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      values[e] += outside.score[node];
      for (const std::uint32_t tail : graph.tails_of(e)) values[e] += inside.score[tail];
    }
  return values;
}

}  // namespace

std::vector<double> max_marginals(const GraphView& graph, std::span<const double> scores) {
  if (graph.empty()) return {};
  const BestInside inside = best_inside(graph, scores);
  return marginals(graph, scores, inside, best_outside(graph, scores, inside));
}

std::vector<std::uint8_t> choose_edges(const GraphView& graph, std::span<const double> scores,
                                       std::span<const double> values, const PruneLimits& limits) {
  if (graph.empty()) return {};
  const BestInside inside = best_inside(graph, scores);
  const BestOutside outside = best_outside(graph, scores, inside);
  Marker marker(graph, inside, outside);
  marker.mark(inside.edge[graph.goal()], std::numeric_limits<std::size_t>::max());

  std::vector<std::uint32_t> order;
  double best = -std::numeric_limits<double>::infinity();
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    if (outside.score[node] == -std::numeric_limits<double>::infinity()) continue;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      order.push_back(e);
      best = std::max(best, values[e]);
    }
  }
  std::erase_if(order, [&](std::uint32_t e) { return !(values[e] >= best - limits.threshold); });
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return values[a] != values[b] ? values[a] > values[b] : a < b;
  };
  // Every edge that is marked for its own sake costs at least itself, so no more can be needed.
  if (order.size() > limits.max_edges) {
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(limits.max_edges),
                     order.end(), better);
    order.resize(limits.max_edges);
  }
  std::sort(order.begin(), order.end(), better);
  for (const std::uint32_t e : order)
    if (marker.keep()[e] == 0 && !marker.mark(e, limits.max_edges)) break;
  return std::move(marker.keep());
}

Hypergraph kept_part(const GraphView& graph, std::span<const std::uint8_t> keep) {
  Hypergraph out;
  if (graph.empty()) return out;
  const auto add = [](auto& target, auto items) {
    target.insert(target.end(), items.begin(), items.end());
  };
  std::vector<std::uint32_t> number(graph.nodes(), 0);
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    bool any = false;
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      if (keep[e] == 0) continue;
      any = true;
      for (const std::uint32_t tail : graph.tails_of(e)) out.tails.push_back(number[tail]);
      add(out.words, graph.words_of(e));
      add(out.feature_ids, graph.ids_of(e));
      add(out.feature_values, graph.values_of(e));
      out.close_edge(graph.source_spans[2 * e], graph.source_spans[2 * e + 1]);
    }
    if (any) number[node] = out.close_node();
  }
  return out;
}

}  // namespace tunesmith::graph
