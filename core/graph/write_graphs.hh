// Graphs as text that other systems read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"
#include "graph/hypergraph.hh"

namespace tunesmith::graph {

struct GraphNames {
  const StringIndex& words;
  const std::vector<std::string>& features;
};

// The lines of one sentence, each with its end; throws OptionError for what a format cannot hold.
// `weights` may be null.
//   moses  lattices only; scores are 0 without weights
//   cdec   one line; at most nine tails
//   plf    lattices only, one line, a node for every word; all features by place without weights,
//          otherwise w · h alone
std::string graph_as_moses(const GraphView& graph, std::size_t sentence, const GraphNames& names,
                           const double* weights);
std::string graph_as_cdec(const GraphView& graph, const GraphNames& names);
std::string graph_as_plf(const GraphView& graph, const GraphNames& names, const double* weights);

std::string graph_as_text(std::string_view format, const GraphView& graph, std::size_t sentence,
                          const GraphNames& names, const double* weights);

}  // namespace tunesmith::graph
