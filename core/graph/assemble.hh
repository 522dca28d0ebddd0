// Makes a graph of edges that come in any order, as files have them: sorts the nodes, finds
// cycles and dangling tails, leaves out what does not lead to the goal.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

// What is wrong with the edges, and with which.
struct BadGraph {
  enum class Kind { kCycle, kDangling } kind;
  std::uint32_t node;   // that is made from itself, or of which nothing is made
  std::uint64_t place;  // of the edge, as it was given
};

class GraphAssembler {
 public:
  void clear();
  // Ends an edge into `head` whose words and features have been pushed into `edges()`. Nodes are
  // numbers of the caller's choice below any bound; `place` (a line, say) is for messages.
  void add(std::uint32_t head, std::span<const std::uint32_t> tails, std::int32_t source_begin,
           std::int32_t source_end, std::uint64_t place);
  Hypergraph& edges() { return edges_; }
  std::size_t size() const { return heads_.size(); }

  // The graph of all derivations of `goal`. Nodes keep their order where it is topological; edges
  // of a node are in the order in which they came. Throws BadGraph.
  Hypergraph finish(std::uint32_t goal) const;

 private:
  Hypergraph edges_;  // all in one node
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> places_;
};

}  // namespace tunesmith::graph
