// Feeding a native n-best reader from Python: plain files by name, packed ones block by block.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <string>
#include <vector>

#include "formats/nbest_reader.hh"
#include "typed.hh"

namespace tunesmith::bind {

namespace nb = nanobind;

// Reads all of `path`, or of `blocks` (an iterable of bytes) if it is not None. Called with
// Python's lock, which is given up while native code works.
inline formats::NbestReport read_all(formats::NbestReader& reader,
                                     const std::optional<Blocks>& blocks) {
  if (!blocks) {
    nb::gil_scoped_release release;
    reader.read_file();
    return reader.report();
  }
  for (nb::handle block : *blocks) {
    const auto bytes = nb::cast<nb::bytes>(block);
    const std::string_view view(bytes.c_str(), bytes.size());
    nb::gil_scoped_release release;
    reader.feed(view);
  }
  nb::gil_scoped_release release;
  reader.finish();
  return reader.report();
}

inline std::vector<std::string> names_of(const StringIndex& index) {
  std::vector<std::string> names;
  names.reserve(index.size());
  for (std::uint32_t i = 0; i < index.size(); ++i) names.emplace_back(index.text(i));
  return names;
}

}  // namespace tunesmith::bind
