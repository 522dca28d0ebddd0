// Sentence pairs to learn from, with or without links.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "decode/rule_filter.hh"
#include "links.hh"

namespace tunesmith::bind {

using WordLists = std::vector<std::vector<std::string>>;
// Offsets, source and target positions; without any offsets there are no links.
using LinkArrays = std::tuple<In<std::uint64_t>, In<std::uint32_t>, In<std::uint32_t>>;

// `tables` are the links of every table; empty where none are known.
inline std::vector<decode::TrainingPair> training_pairs(const WordLists& source,
                                                        const WordLists& target,
                                                        const std::vector<LinkArrays>& tables) {
  if (source.size() != target.size()) throw nb::value_error("sides of different size");
  std::vector<decode::TrainingPair> pairs(source.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    pairs[p].source = source[p];
    pairs[p].target = target[p];
    pairs[p].links.resize(tables.size());
  }
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const auto& [offsets, sources, targets] = tables[t];
    if (offsets.size() == 0) continue;
    const formats::LinkView links = links_of(offsets, sources, targets);
    if (links.offsets.size() != source.size() + 1)
      throw nb::value_error("links of another number of pairs");
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      auto& own = pairs[p].links[t].emplace();
      for (std::uint64_t i = links.offsets[p]; i < links.offsets[p + 1]; ++i)
        own.emplace_back(links.source[i], links.target[i]);
    }
  }
  return pairs;
}

}  // namespace tunesmith::bind
