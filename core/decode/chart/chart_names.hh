// Sparse features of single sentences as features of a whole output. Of those of a sentence only
// the ones that are given back get names; in an output they are numbered in the order in which its
// sentences first have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/string_index.hh"
#include "decode/chart/chart_graph.hh"
#include "decode/translation.hh"

namespace tunesmith::decode {

// Some of the sparse features of a graph, by their place among them, and their names.
struct UsedFeatures {
  std::vector<std::uint32_t> places;
  std::vector<std::string> names;
};

// Those of translations, whose ids are places among the graph's; and those of the edges of a graph
// that was made from `found`, whose ids are behind those of the dense features.
UsedFeatures used_features(const std::vector<Translation>& translations, const ChartGraph& found,
                           const features::GrammarFeatures& sparse);
UsedFeatures used_features(const graph::Hypergraph& graph, std::uint32_t dense,
                           const ChartGraph& found, const features::GrammarFeatures& sparse);

// Changes the ids to those of `names`, to which new ones are added.
void rename(std::vector<Translation>& translations, const UsedFeatures& used, StringIndex& names);
void rename(graph::Hypergraph& graph, std::uint32_t dense, const UsedFeatures& used,
            StringIndex& names);

}  // namespace tunesmith::decode
