#include "graph/graph_envelope.hh"

#include <algorithm>
#include <limits>

namespace tunesmith::graph {

namespace {

// Whether `middle` is nowhere above both others, whose slopes are on either side of its own.
bool covered(const GraphEnvelope::Line& low, const GraphEnvelope::Line& middle,
             const GraphEnvelope::Line& high) {
  return (high.intercept - low.intercept) * (middle.slope - low.slope) >=
         (middle.intercept - low.intercept) * (high.slope - low.slope);
}

}  // namespace

void GraphEnvelope::find(const GraphView& graph, std::span<const double> intercepts,
                         std::span<const double> slopes) {
  graph_ = &graph;
  lines_.clear();
  tail_lines_.clear();
  node_lines_.assign(1, 0);
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    found_.clear();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e)
      add_edge(e, {intercepts[e], slopes[e], e, 0});
    close_node();
    node_lines_.push_back(static_cast<std::uint32_t>(lines_.size()));
  }
  goal_ = node_lines_[graph.goal()];
}

void GraphEnvelope::add_edge(std::uint32_t edge, Line own) {
  const auto tails = graph_->tails_of(edge);
  if (tails.size() > 1) {
    add_sum(tails, own);
    return;
  }
  if (tails.empty()) {
    found_.push_back(own);
    return;
  }
  for (std::uint32_t i = node_lines_[tails[0]]; i < node_lines_[tails[0] + 1]; ++i) {
    found_.push_back({own.intercept + lines_[i].intercept, own.slope + lines_[i].slope, edge,
                      static_cast<std::uint32_t>(tail_lines_.size())});
    tail_lines_.push_back(i);
  }
}

void GraphEnvelope::add_sum(std::span<const std::uint32_t> tails, Line own) {
  constexpr double kEnd = std::numeric_limits<double>::infinity();
  places_.clear();
  for (const std::uint32_t tail : tails) places_.push_back(node_lines_[tail]);
  // Where tail t goes over to its next line.
  const auto next = [&](std::size_t t) {
    const std::uint32_t i = places_[t];
    if (i + 1 == node_lines_[tails[t] + 1]) return kEnd;
    return (lines_[i].intercept - lines_[i + 1].intercept) /
           (lines_[i + 1].slope - lines_[i].slope);
  };
  for (;;) {
    Line sum = own;
    sum.tails = static_cast<std::uint32_t>(tail_lines_.size());
    double nearest = kEnd;
    for (std::size_t t = 0; t < tails.size(); ++t) {
      sum.intercept += lines_[places_[t]].intercept;
      sum.slope += lines_[places_[t]].slope;
      nearest = std::min(nearest, next(t));
    }
    found_.push_back(sum);
    tail_lines_.insert(tail_lines_.end(), places_.begin(), places_.end());
    if (nearest == kEnd) return;
    for (std::size_t t = 0; t < tails.size(); ++t)
      if (next(t) == nearest) ++places_[t];
  }
}

void GraphEnvelope::close_node() {
  // A single edge's lines are in order already. Of equal slopes the highest comes first, of equal
  // lines the one of the earlier edge: found_ is in the order of edges, and so are places of tails.
  if (found_.front().edge != found_.back().edge)
    std::sort(found_.begin(), found_.end(), [](const Line& a, const Line& b) {
      if (a.slope != b.slope) return a.slope < b.slope;
      if (a.intercept != b.intercept) return a.intercept > b.intercept;
      return a.edge != b.edge ? a.edge < b.edge : a.tails < b.tails;
    });
  const std::size_t first = lines_.size();
  for (const Line& line : found_) {
    if (lines_.size() > first && lines_.back().slope == line.slope) continue;
    while (lines_.size() > first + 1 && covered(lines_[lines_.size() - 2], lines_.back(), line))
      lines_.pop_back();
    lines_.push_back(line);
  }
}

void GraphEnvelope::derivation(std::size_t line, std::vector<std::uint32_t>& edges) const {
  edges.clear();
  std::vector<std::uint32_t> open{static_cast<std::uint32_t>(goal_ + line)};
  while (!open.empty()) {
    const Line& at = lines_[open.back()];
    open.pop_back();
    edges.push_back(at.edge);
    const auto arity = graph_->tails_of(at.edge).size();
    for (std::size_t t = 0; t < arity; ++t) open.push_back(tail_lines_[at.tails + t]);
  }
  std::reverse(edges.begin(), edges.end());
}

}  // namespace tunesmith::graph
