// Sentence pairs to learn from, with or without links, as Python has them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrays.hh"
#include "decode/training_text.hh"

namespace tunesmith::bind {

// Offsets, source and target positions; without any offsets there are no links.
using LinkArrays = std::tuple<In<std::uint64_t>, In<std::uint32_t>, In<std::uint32_t>>;

// `tables` are the links of every table; empty where none are known.
inline std::vector<std::optional<formats::LinkView>> table_links(
    const std::vector<LinkArrays>& tables) {
  std::vector<std::optional<formats::LinkView>> links;
  for (const auto& [offsets, source, target] : tables) {
    auto& one = links.emplace_back();
    if (offsets.size() > 0) one = {span_of(offsets), span_of(source), span_of(target)};
  }
  return links;
}

}  // namespace tunesmith::bind
