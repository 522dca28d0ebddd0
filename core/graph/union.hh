// Graphs of the same sentence put together, and graphs of chosen derivations only.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// Collects graphs and single derivations. Nodes with the same edges become one node, from the
// leaves up: such nodes have the same derivations, so nothing is gained or lost. Derivations that
// begin alike share their beginnings. All goals become one, and of equal edges into it one is kept.
class GraphUnion {
 public:
  // How a part's ids become those of the union; empty means they are the same.
  struct Names {
    std::span<const std::int32_t> words;
    std::span<const std::uint32_t> features;
  };

  void add(const GraphView& graph, const Names& names);
  // A derivation of the goal, as is_derivation() accepts it.
  void add_derivation(const GraphView& graph, std::span<const std::uint32_t> edges,
                      const Names& names);
  // The union; empty if nothing was added.
  Hypergraph finish() const;

 private:
  using Ids = std::vector<std::uint32_t>;

  std::uint32_t edge_id(const GraphView& graph, std::uint32_t edge,
                        std::span<const std::uint32_t> tails, const Names& names);
  std::uint32_t node_id(Ids& edges);

  std::vector<Ids> edges_;  // tails, words, features and span as one sequence of numbers
  std::vector<Ids> nodes_;  // edges, ascending
  Ids goal_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> edge_table_, node_table_;
  Ids scratch_;
  std::vector<std::pair<std::uint32_t, float>> features_;  // scratch
};

}  // namespace tunesmith::graph
