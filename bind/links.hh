// Links ↔ numpy arrays, checked on the way in.
#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hh"
#include "formats/pharaoh.hh"
#include "typed.hh"

namespace tunesmith::bind {

// Throws when offsets do not rise from 0 to `size`.
inline void check_offsets(std::span<const std::uint64_t> offsets, std::size_t size) {
  bool good = !offsets.empty() && offsets.front() == 0 && offsets.back() == size;
  for (std::size_t i = 1; good && i < offsets.size(); ++i) good = offsets[i - 1] <= offsets[i];
  if (!good) throw nb::value_error("offsets must rise from 0 to the number of items");
}

inline formats::LinkView links_of(const In<std::uint64_t>& offsets, const In<std::uint32_t>& source,
                                  const In<std::uint32_t>& target) {
  if (source.size() != target.size()) throw nb::value_error("arrays of links differ in length");
  check_offsets(span_of(offsets), source.size());
  return {span_of(offsets), span_of(source), span_of(target)};
}

// (offsets, source, target, possible, probability)
inline auto to_python(formats::LinkLists&& links) {
  return tuple_of(to_numpy(std::move(links.offsets)), to_numpy(std::move(links.source)),
                  to_numpy(std::move(links.target)), to_numpy(std::move(links.possible)),
                  to_numpy(std::move(links.probability)));
}

}  // namespace tunesmith::bind
