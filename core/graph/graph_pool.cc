#include "graph/graph_pool.hh"

#include <cmath>

#include "base/error.hh"

namespace tunesmith::graph {
namespace {

template <typename T>
std::span<const T> part(std::span<const T> items, std::int64_t begin, std::int64_t end) {
  return items.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

void check_offsets(std::span<const std::int64_t> offsets, std::size_t items, std::size_t owners,
                   const char* what) {
  bool good = offsets.size() == owners + 1 && offsets.front() == 0 &&
              offsets.back() == static_cast<std::int64_t>(items);
  for (std::size_t i = 1; good && i < offsets.size(); ++i) good = offsets[i - 1] <= offsets[i];
  if (!good) throw Error(std::string("graph offsets do not cover the ") + what);
}

// Whether each of `tails` slots is there exactly once; `seen` is scratch.
bool slots_are_complete(std::span<const std::int32_t> words, std::size_t tails,
                        std::vector<std::uint8_t>& seen) {
  seen.assign(tails, 0);
  std::size_t slots = 0;
  for (const std::int32_t symbol : words) {
    if (!is_tail_slot(symbol)) continue;
    const auto tail = static_cast<std::size_t>(-(static_cast<std::int64_t>(symbol) + 1));
    if (tail >= tails || seen[tail] != 0) return false;
    seen[tail] = 1;
    ++slots;
  }
  return slots == tails;
}

class Checker {
 public:
  Checker(const GraphPoolView& pool, const std::vector<std::string>* names)
      : pool_(pool), names_(names) {}

  void sentence(std::int64_t s) {
    sentence_ = s;
    const GraphView graph = pool_.sentence(s);
    if (graph.empty()) return;
    for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
      if (graph.first_edge(node) == graph.end_edge(node))
        throw Error(place() + "node " + std::to_string(node) +
                    " has no edges: a tail that points to it dangles");
      for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e)
        edge(graph, node, e);
    }
  }

 private:
  void edge(const GraphView& graph, std::uint32_t node, std::uint32_t e) {
    const auto here = [&] { return place() + "edge " + std::to_string(e) + ": "; };
    for (const std::uint32_t tail : graph.tails_of(e))
      if (tail >= node)
        throw Error(here() + "its tail is node " + std::to_string(tail) +
                    ", expected one before its head, node " + std::to_string(node) +
                    " (a cycle, or nodes out of order)");
    if (!slots_are_complete(graph.words_of(e), graph.tails_of(e).size(), seen_))
      throw Error(here() + "each tail must have its place once among the words");
    for (const std::int32_t word : graph.words_of(e))
      if (word >= pool_.vocabulary)
        throw Error(here() + "word " + std::to_string(word) + " of a vocabulary of " +
                    std::to_string(pool_.vocabulary));
    const auto ids = graph.ids_of(e);
    const auto values = graph.values_of(e);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] >= pool_.features || (i > 0 && ids[i] <= ids[i - 1]))
        throw Error(here() + "feature ids must ascend and be below " +
                    std::to_string(pool_.features));
      if (!std::isfinite(values[i]))
        throw Error(here() + "feature " + name(ids[i]) + " is " +
                    (std::isnan(values[i]) ? "nan" : "infinite") + ", expected a finite number");
    }
  }
  std::string place() const { return "sentence " + std::to_string(sentence_ + 1) + ", "; }
  std::string name(std::uint32_t id) const {
    return names_ == nullptr ? std::to_string(id) : quoted((*names_)[id]);
  }

  const GraphPoolView& pool_;
  const std::vector<std::string>* names_;
  std::int64_t sentence_ = 0;
  std::vector<std::uint8_t> seen_;
};

template <typename T>
void add_all(std::vector<T>& target, std::span<const T> items) {
  target.insert(target.end(), items.begin(), items.end());
}

void add_offsets(std::vector<std::int64_t>& target, std::span<const std::int64_t> offsets) {
  const std::int64_t shift = target.back() - offsets.front();
  for (std::size_t i = 1; i < offsets.size(); ++i) target.push_back(offsets[i] + shift);
}

}  // namespace

GraphView GraphPoolView::sentence(std::int64_t s) const {
  const std::int64_t node = node_offsets[s], end_node = node_offsets[s + 1];
  const std::int64_t edge = edge_offsets[node], end = edge_offsets[end_node];
  const auto entries = [&](auto items, std::span<const std::int64_t> offsets) {
    return part(items, offsets[edge], offsets[end]);
  };
  GraphView view;
  view.edge_offsets = part(edge_offsets, node, end_node + 1);
  view.tail_offsets = part(tail_offsets, edge, end + 1);
  view.tails = entries(tails, tail_offsets);
  view.word_offsets = part(word_offsets, edge, end + 1);
  view.words = entries(words, word_offsets);
  view.feature_offsets = part(feature_offsets, edge, end + 1);
  view.feature_ids = entries(feature_ids, feature_offsets);
  view.feature_values = entries(feature_values, feature_offsets);
  view.source_spans = part(source_spans, 2 * edge, 2 * end);
  return view;
}

void check_graphs(const GraphPoolView& pool, const std::vector<std::string>* names) {
  if (pool.node_offsets.empty() || pool.edge_offsets.empty() || pool.tail_offsets.empty())
    throw Error("graph offsets do not cover the nodes");
  const std::size_t nodes = pool.edge_offsets.size() - 1, edges = pool.tail_offsets.size() - 1;
  check_offsets(pool.node_offsets, nodes, pool.node_offsets.size() - 1, "nodes");
  check_offsets(pool.edge_offsets, edges, nodes, "edges");
  check_offsets(pool.tail_offsets, pool.tails.size(), edges, "tails");
  check_offsets(pool.word_offsets, pool.words.size(), edges, "words");
  check_offsets(pool.feature_offsets, pool.feature_ids.size(), edges, "features");
  check_offsets(pool.feature_offsets, pool.feature_values.size(), edges, "features");
  if (pool.source_spans.size() != 2 * edges)
    throw Error("graph offsets do not cover the source spans");
  Checker checker(pool, names);
  for (std::int64_t s = 0; s < pool.sentences(); ++s) checker.sentence(s);
}

void GraphPoolData::append(const GraphView& graph, const StringIndex& own_words) {
  std::vector<std::int32_t> ids(own_words.size());
  for (std::uint32_t w = 0; w < own_words.size(); ++w)
    ids[w] = static_cast<std::int32_t>(vocabulary.add(own_words.text(w)));
  const std::size_t first = graphs.words.size();
  append(graph);
  for (std::size_t i = first; i < graphs.words.size(); ++i)
    if (!is_tail_slot(graphs.words[i])) graphs.words[i] = ids[graphs.words[i]];
}

void GraphPoolData::append(const GraphView& graph) {
  if (!graph.empty()) {
    add_offsets(graphs.edge_offsets, graph.edge_offsets);
    add_offsets(graphs.tail_offsets, graph.tail_offsets);
    add_offsets(graphs.word_offsets, graph.word_offsets);
    add_offsets(graphs.feature_offsets, graph.feature_offsets);
    add_all(graphs.tails, graph.tails);
    add_all(graphs.words, graph.words);
    add_all(graphs.feature_ids, graph.feature_ids);
    add_all(graphs.feature_values, graph.feature_values);
    add_all(graphs.source_spans, graph.source_spans);
  }
  node_offsets.push_back(static_cast<std::int64_t>(graphs.edge_offsets.size()) - 1);
}

GraphPoolView GraphPoolData::view(std::int64_t features) const {
  return {node_offsets,
          graphs.edge_offsets,
          graphs.tail_offsets,
          graphs.tails,
          graphs.word_offsets,
          graphs.words,
          graphs.feature_offsets,
          graphs.feature_ids,
          graphs.feature_values,
          graphs.source_spans,
          features,
          vocabulary.size()};
}

}  // namespace tunesmith::graph
