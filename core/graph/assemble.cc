#include "graph/assemble.hh"

#include <algorithm>
#include <functional>
#include <queue>
#include <unordered_map>

namespace tunesmith::graph {

void GraphAssembler::clear() {
  edges_ = {};
  heads_.clear();
  places_.clear();
}

void GraphAssembler::add(std::uint32_t head, std::span<const std::uint32_t> tails,
                         std::int32_t source_begin, std::int32_t source_end, std::uint64_t place) {
  edges_.tails.insert(edges_.tails.end(), tails.begin(), tails.end());
  edges_.close_edge(source_begin, source_end);
  heads_.push_back(head);
  places_.push_back(place);
}

Hypergraph GraphAssembler::finish(std::uint32_t goal) const {
  const GraphView view = edges_.view();
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> into;  // edges by head
  for (std::uint32_t e = 0; e < heads_.size(); ++e) into[heads_[e]].push_back(e);

  // What the goal is made of, and how many of its tails each such edge waits for.
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> uses;  // edges by tail
  std::unordered_map<std::uint32_t, std::size_t> waits;                // by node, tails in all
  std::vector<std::uint32_t> open{goal};
  waits[goal] = 0;
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    for (const std::uint32_t e : into[node])
      for (const std::uint32_t tail : view.tails_of(e)) {
        const auto found = into.find(tail);
        if (found == into.end() || found->second.empty())
          throw BadGraph{BadGraph::Kind::kDangling, tail, places_[e]};
        ++waits[node];
        uses[tail].push_back(e);
        if (waits.try_emplace(tail, 0).second) open.push_back(tail);
      }
  }

  // Kahn (1962), the lowest number first: an order that is topological already stays as it is.
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  for (const auto& [node, count] : waits)
    if (count == 0) ready.push(node);
  Hypergraph out;
  std::unordered_map<std::uint32_t, std::uint32_t> number;
  const auto add = [](auto& target, auto items) {
    target.insert(target.end(), items.begin(), items.end());
  };
  while (!ready.empty()) {
    const std::uint32_t node = ready.top();
    ready.pop();
    for (const std::uint32_t e : into[node]) {
      for (const std::uint32_t tail : view.tails_of(e)) out.tails.push_back(number[tail]);
      add(out.words, view.words_of(e));
      add(out.feature_ids, view.ids_of(e));
      add(out.feature_values, view.values_of(e));
      out.close_edge(view.source_spans[2 * e], view.source_spans[2 * e + 1]);
    }
    number[node] = out.close_node();
    for (const std::uint32_t e : uses[node])
      if (--waits[heads_[e]] == 0) ready.push(heads_[e]);
  }
  if (number.size() == waits.size()) return out;

  // Follow tails that are not made from one such node to the next: sooner or later around.
  std::uint32_t node = goal;
  std::vector<std::uint32_t> seen;
  std::uint32_t edge = 0;
  while (std::find(seen.begin(), seen.end(), node) == seen.end()) {
    seen.push_back(node);
    for (const std::uint32_t e : into[node])
      for (const std::uint32_t tail : view.tails_of(e))
        if (!number.contains(tail)) {
          node = tail;
          edge = e;
        }
  }
  throw BadGraph{BadGraph::Kind::kCycle, node, places_[edge]};
}

}  // namespace tunesmith::graph
