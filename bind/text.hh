// Python strings → views of their UTF-8, without copying.
#pragma once

#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "typed.hh"

namespace tunesmith::bind {

namespace nb = nanobind;

// Valid as long as `text` lives. Half of a surrogate pair has no UTF-8 and is refused.
inline std::string_view view_of(nb::handle text, std::size_t index) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) {
    const bool is_text = PyUnicode_Check(text.ptr());
    PyErr_Clear();
    throw OptionError(
        "line " + std::to_string(index + 1) +
        (is_text ? " has a lone surrogate, expected text that can be UTF-8" : " is not a string"));
  }
  return {data, static_cast<std::size_t>(size)};
}

// Valid as long as the list lives and its items stay in it.
inline std::vector<std::string_view> views_of(const Lines& lines) {
  std::vector<std::string_view> views;
  views.reserve(lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) views.push_back(view_of(lines[i], i));
  return views;
}

// Maps every line on its own; transform(line, worker) gives the new one.
template <typename Transform>
Lines map_lines(const Lines& lines, int threads, const Transform& transform) {
  const std::vector<std::string_view> views = views_of(lines);
  std::vector<std::string> results(views.size());
  {
    nb::gil_scoped_release release;
    engine::parallel_for_worker(
        views.size(), threads,
        [&](std::size_t i, int worker) { results[i] = transform(views[i], worker); }, 256);
  }
  nb::list out;
  for (const std::string& line : results) out.append(nb::str(line.data(), line.size()));
  return list_of<nb::str>(std::move(out));
}

}  // namespace tunesmith::bind
