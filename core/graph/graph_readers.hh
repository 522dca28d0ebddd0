// One maker for each format of graphs in text.
#pragma once

#include <memory>
#include <string>

#include "graph/read_graphs.hh"

namespace tunesmith::graph {

// A hypothesis per line, `-output-search-graph` or `-output-search-graph-extended`:
//   0 hyp=5 stack=2 back=1 score=-3 transition=-1 recombined=4 forward=9 fscore=-2 covered=1-2
//   … out=words               the feature is `transition`, the weighted score of the step
//   … scores="core=(v,v) name=v" out="source|words"      all features
// A hypothesis with `recombined` is another edge into that one; those with forward=-1 are complete.
std::unique_ptr<GraphReader> make_moses_graph_reader(std::string path,
                                                     const GraphReadOptions& options);

// A forest per line as cdec writes it: {"rules":[…],"features":[…],"edges":[…],"node":{…},…}, edges
// before their node, the goal last.
std::unique_ptr<GraphReader> make_cdec_graph_reader(std::string path);

// A lattice per line: ((('word',number,…,distance),…),…), nodes by their arcs; *EPS* is no word.
std::unique_ptr<GraphReader> make_plf_reader(std::string path, const GraphReadOptions& options);

}  // namespace tunesmith::graph
