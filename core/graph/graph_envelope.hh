// The upper envelope of all derivations of a graph along a line w + γ d (Macherey et al. 2008;
// Kumar et al. 2009 for any arity).
//
// A derivation is a line in γ: w · h + γ d · h. The best of a node is a convex, piecewise linear
// function: the maximum over its edges of the sum of the tails' functions and the edge's own line.
// Sums merge the breakpoints of the tails, maxima take the hull of all lines; every line keeps
// which lines of the tails it was made of, so each leads back to one derivation.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"

namespace tunesmith::graph {

class GraphEnvelope {
 public:
  struct Line {
    double intercept, slope;
    std::uint32_t edge;
    std::uint32_t tails;  // where the tails' lines stand
  };

  // `intercepts` and `slopes` are of the edges: w · h and d · h. The graph must not be empty, and
  // must outlive the calls below.
  void find(const GraphView& graph, std::span<const double> intercepts,
            std::span<const double> slopes);

  // The goal's lines, by ascending slope. Each is the only highest one somewhere, up to rounding;
  // of derivations with the same line the one of earlier edges stands for all.
  std::span<const Line> lines() const { return {lines_.data() + goal_, lines_.size() - goal_}; }
  // The edges of the derivation of a line, tails before heads.
  void derivation(std::size_t line, std::vector<std::uint32_t>& edges) const;

 private:
  // Appends the lines of an edge to found_.
  void add_edge(std::uint32_t edge, Line own);
  void add_sum(std::span<const std::uint32_t> tails, Line own);
  // Moves what of found_ is on the hull to lines_.
  void close_node();

  const GraphView* graph_ = nullptr;
  std::size_t goal_ = 0;
  std::vector<Line> lines_;                // of all nodes
  std::vector<std::uint32_t> node_lines_;  // [nodes + 1]
  std::vector<std::uint32_t> tail_lines_;  // of all lines, places in lines_
  std::vector<Line> found_;                // of the node at hand
  std::vector<std::uint32_t> places_;      // of the edge at hand: a line of each tail
};

}  // namespace tunesmith::graph
