#include "decode/phrase/search_shape.hh"

#include <algorithm>

namespace tunesmith::decode {

SearchShape::SearchShape(const SearchGraph& search) {
  constexpr std::uint32_t kUnreached = kNone, kReached = kNone - 1;
  std::vector<std::uint32_t> number(search.goal + 1, kUnreached);
  number[search.goal] = kReached;
  for (std::uint32_t s = search.goal + 1; s-- > kStartState + 1;) {
    if (number[s] == kUnreached) continue;
    for (std::uint32_t e = search.states[s].edges; e != kNone; e = search.edges[e].next)
      number[search.edges[e].tail] = kReached;
  }
  for (std::uint32_t s = kStartState + 1; s <= search.goal; ++s) {
    if (number[s] == kUnreached) continue;
    const std::size_t first = edges.size();
    for (std::uint32_t e = search.states[s].edges; e != kNone; e = search.edges[e].next)
      edges.push_back(e);
    // The list has the edge of the last pop first.
    std::reverse(edges.begin() + static_cast<std::ptrdiff_t>(first), edges.end());
    for (std::size_t i = first; i < edges.size(); ++i) {
      const SearchEdge& edge = search.edges[edges[i]];
      if (edge.tail != kStartState) graph.tails.push_back(number[edge.tail]);
      graph.close_edge();
      scores.push_back(static_cast<double>(edge.score) - search.states[edge.tail].score);
    }
    number[s] = graph.close_node();
  }
}

}  // namespace tunesmith::decode
