#include "graph/derivation.hh"

#include <algorithm>
#include <utility>

namespace tunesmith::graph {

std::uint32_t head_of(const GraphView& graph, std::uint32_t edge) {
  const std::int64_t place = graph.edge_offsets[0] + edge;
  const auto above = std::upper_bound(graph.edge_offsets.begin(), graph.edge_offsets.end(), place);
  return static_cast<std::uint32_t>(above - graph.edge_offsets.begin()) - 1;
}

bool is_derivation(const GraphView& graph, std::span<const std::uint32_t> edges) {
  if (graph.empty()) return false;
  std::vector<std::uint32_t> made;  // nodes that wait for the edge above them
  for (const std::uint32_t e : edges) {
    if (e >= graph.edges()) return false;
    const auto tails = graph.tails_of(e);
    if (made.size() < tails.size() ||
        !std::equal(tails.begin(), tails.end(), made.end() - tails.size()))
      return false;
    made.resize(made.size() - tails.size());
    made.push_back(head_of(graph, e));
  }
  return made.size() == 1 && made[0] == graph.goal();
}

std::vector<std::int32_t> derivation_words(const GraphView& graph,
                                           std::span<const std::uint32_t> edges) {
  std::vector<std::vector<std::int32_t>> made;
  for (const std::uint32_t e : edges) {
    const std::size_t first = made.size() - graph.tails_of(e).size();
    const auto symbols = graph.words_of(e);
    std::vector<std::int32_t> words;
    std::size_t i = 0;
    // The usual case is a lattice's: the words of the tail, then some more.
    if (!symbols.empty() && is_tail_slot(symbols[0])) {
      words = std::move(made[first + slot_tail(symbols[0])]);
      i = 1;
    }
    for (; i < symbols.size(); ++i) {
      if (is_tail_slot(symbols[i])) {
        const auto& part = made[first + slot_tail(symbols[i])];
        words.insert(words.end(), part.begin(), part.end());
      } else {
        words.push_back(symbols[i]);
      }
    }
    made.resize(first);
    made.push_back(std::move(words));
  }
  return made.empty() ? std::vector<std::int32_t>() : std::move(made.back());
}

FeatureSum derivation_features(const GraphView& graph, std::span<const std::uint32_t> edges) {
  std::vector<std::pair<std::uint32_t, double>> all;
  for (const std::uint32_t e : edges) {
    const auto ids = graph.ids_of(e);
    const auto values = graph.values_of(e);
    for (std::size_t i = 0; i < ids.size(); ++i) all.emplace_back(ids[i], values[i]);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  FeatureSum sum;
  for (std::size_t i = 0; i < all.size();) {
    double total = 0.0;
    const std::uint32_t id = all[i].first;
    for (; i < all.size() && all[i].first == id; ++i) total += all[i].second;
    if (total == 0.0) continue;
    sum.ids.push_back(id);
    sum.values.push_back(total);
  }
  return sum;
}

}  // namespace tunesmith::graph
