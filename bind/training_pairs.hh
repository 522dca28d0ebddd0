// Sentence pairs to learn from, with or without links.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "decode/forced_search.hh"
#include "links.hh"

namespace tunesmith::bind {

using WordLists = std::vector<std::vector<std::string>>;

// An empty array of offsets means that there are no links.
inline std::vector<TrainingPair> training_pairs(const WordLists& source, const WordLists& target,
                                                const In<std::uint64_t>& link_offsets,
                                                const In<std::uint32_t>& link_sources,
                                                const In<std::uint32_t>& link_targets) {
  if (source.size() != target.size()) throw nb::value_error("sides of different size");
  const bool has_links = link_offsets.size() > 0;
  LinkView links;
  if (has_links) {
    links = links_of(link_offsets, link_sources, link_targets);
    if (links.offsets.size() != source.size() + 1)
      throw nb::value_error("links of another number of pairs");
  }
  std::vector<TrainingPair> pairs(source.size());
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    pairs[p].source = source[p];
    pairs[p].target = target[p];
    pairs[p].has_links = has_links;
    if (!has_links) continue;
    for (std::uint64_t i = links.offsets[p]; i < links.offsets[p + 1]; ++i)
      pairs[p].links.emplace_back(links.source[i], links.target[i]);
  }
  return pairs;
}

}  // namespace tunesmith::bind
