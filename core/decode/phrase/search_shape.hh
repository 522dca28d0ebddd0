// The part of a search graph that counts, as the shape of a hypergraph: the algorithms of the room
// `graph` work on it before words and features have been written down.
#pragma once

#include <cstdint>
#include <vector>

#include "decode/phrase/phrase_search.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::decode {

constexpr std::uint32_t kStartState = 0;

// States from which the goal is not reached are left out; an edge from the start has no tail.
struct SearchShape {
  std::vector<std::uint32_t> edges;  // of the search graph, in the order of the hypergraph's
  std::vector<double> scores;        // of each edge alone
  graph::Hypergraph graph;           // without words and features

  // The search must have reached its goal, and not at the start.
  explicit SearchShape(const SearchGraph& search);
};

}  // namespace tunesmith::decode
