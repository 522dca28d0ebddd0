#include "graph/union.hh"

#include <algorithm>
#include <bit>

#include "base/hash.hh"

namespace tunesmith::graph {
namespace {

// The number of `key` in `items`, new or old.
std::uint32_t intern(const std::vector<std::uint32_t>& key,
                     std::vector<std::vector<std::uint32_t>>& items,
                     std::unordered_multimap<std::uint64_t, std::uint32_t>& table) {
  const std::uint64_t hash = hash_bytes(key.data(), key.size() * sizeof key[0]);
  const auto [begin, end] = table.equal_range(hash);
  for (auto found = begin; found != end; ++found)
    if (items[found->second] == key) return found->second;
  const auto id = static_cast<std::uint32_t>(items.size());
  items.push_back(key);
  table.emplace(hash, id);
  return id;
}

}  // namespace

std::uint32_t GraphUnion::edge_id(const GraphView& graph, std::uint32_t edge,
                                  std::span<const std::uint32_t> tails, const Names& names) {
  const auto words = graph.words_of(edge);
  const auto ids = graph.ids_of(edge);
  const auto values = graph.values_of(edge);
  features_.clear();
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (values[i] != 0.0F)
      features_.emplace_back(names.features.empty() ? ids[i] : names.features[ids[i]], values[i]);
  std::sort(features_.begin(), features_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  scratch_.clear();
  scratch_.push_back(static_cast<std::uint32_t>(tails.size()));
  scratch_.push_back(static_cast<std::uint32_t>(words.size()));
  scratch_.push_back(static_cast<std::uint32_t>(graph.source_spans[2 * edge]));
  scratch_.push_back(static_cast<std::uint32_t>(graph.source_spans[2 * edge + 1]));
  scratch_.insert(scratch_.end(), tails.begin(), tails.end());
  for (const std::int32_t symbol : words)
    scratch_.push_back(static_cast<std::uint32_t>(
        is_tail_slot(symbol) || names.words.empty() ? symbol : names.words[symbol]));
  for (const auto& [id, value] : features_) {
    scratch_.push_back(id);
    scratch_.push_back(std::bit_cast<std::uint32_t>(value));
  }
  return intern(scratch_, edges_, edge_table_);
}

std::uint32_t GraphUnion::node_id(Ids& edges) {
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return intern(edges, nodes_, node_table_);
}

void GraphUnion::add(const GraphView& graph, const Names& names) {
  if (graph.empty()) return;
  std::vector<std::uint32_t> number(graph.nodes());
  Ids edges, tails;
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    edges.clear();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      tails.clear();
      for (const std::uint32_t tail : graph.tails_of(e)) tails.push_back(number[tail]);
      edges.push_back(edge_id(graph, e, tails, names));
    }
    if (node == graph.goal())
      goal_.insert(goal_.end(), edges.begin(), edges.end());
    else
      number[node] = node_id(edges);
  }
}

void GraphUnion::add_derivation(const GraphView& graph, std::span<const std::uint32_t> edges,
                                const Names& names) {
  Ids made, single;  // nodes that wait for the edge above them
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const std::size_t first = made.size() - graph.tails_of(edges[i]).size();
    const std::uint32_t id =
        edge_id(graph, edges[i], std::span<const std::uint32_t>(made).subspan(first), names);
    made.resize(first);
    if (i + 1 == edges.size()) {
      goal_.push_back(id);
    } else {
      single.assign(1, id);
      made.push_back(node_id(single));
    }
  }
}

Hypergraph GraphUnion::finish() const {
  Hypergraph out;
  if (goal_.empty()) return out;
  const auto close = [&](const Ids& edges) {
    for (const std::uint32_t id : edges) {
      const Ids& edge = edges_[id];
      auto at = edge.begin() + 4;
      out.tails.insert(out.tails.end(), at, at + edge[0]);
      at += edge[0];
      for (std::uint32_t i = 0; i < edge[1]; ++i)
        out.words.push_back(static_cast<std::int32_t>(*at++));
      for (; at != edge.end(); at += 2) {
        out.feature_ids.push_back(at[0]);
        out.feature_values.push_back(std::bit_cast<float>(at[1]));
      }
      out.close_edge(static_cast<std::int32_t>(edge[2]), static_cast<std::int32_t>(edge[3]));
    }
    out.close_node();
  };
  for (const Ids& node : nodes_) close(node);
  Ids goal = goal_;
  std::sort(goal.begin(), goal.end());
  goal.erase(std::unique(goal.begin(), goal.end()), goal.end());
  close(goal);
  return out;
}

}  // namespace tunesmith::graph
