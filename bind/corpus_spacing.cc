#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hh"
#include "base/code_points.hh"
#include "base/error.hh"
#include "corpus/spacing.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using corpus::Spacing;

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) points += next_code_point(text, at);
  return points;
}

void add(Spacing& self, bind::Lines lines, bind::In<std::uint64_t> offsets,
         bind::In<std::uint32_t> begins, bind::In<std::uint32_t> ends) {
  const auto views = bind::views_of(lines);
  const auto first = bind::span_of(offsets);
  const auto begin = bind::span_of(begins), end = bind::span_of(ends);
  if (first.size() != views.size() + 1 || first.front() != 0 || first.back() != begin.size() ||
      begin.size() != end.size() || !std::ranges::is_sorted(first))
    throw Error("the words' places do not fit the lines");
  nb::gil_scoped_release release;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::u32string line = code_points(views[i]);
    const std::size_t size = first[i + 1] - first[i];
    for (std::size_t k = first[i]; k < first[i + 1]; ++k)
      if (begin[k] > end[k] || end[k] > line.size()) throw Error("a word lies outside its line");
    self.add(line, begin.subspan(first[i], size), end.subspan(first[i], size));
  }
}

// The white space before each word; None where it is to be decided.
using Fixed = nb::typed<nb::list, std::optional<nb::str>>;

auto spaces(const Spacing& self, bind::Lines words, std::optional<Fixed> fixed) {
  std::vector<std::u32string> texts;
  for (const std::string_view word : bind::views_of(words)) texts.push_back(code_points(word));
  const std::vector<std::u32string_view> views(texts.begin(), texts.end());
  std::vector<std::uint8_t> given, found;
  if (fixed) {
    for (const nb::handle space : *fixed)
      given.push_back(space.is_none()       ? Spacing::kFree
                      : nb::len(space) == 0 ? Spacing::kNone
                                            : Spacing::kSpace);
    if (given.size() != views.size()) throw Error("one space for each word is expected");
  }
  Spacing::Memory memory(1, {~0ULL, Spacing::kNone});
  self.decide(views, given, found, memory);
  nb::list result;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!given.empty() && given[i] != Spacing::kFree) {
      result.append((*fixed)[i]);
      continue;
    }
    std::string space;
    for (const char32_t c : Spacing::kSpaces[found[i]]) append_utf8(space, c);
    result.append(space);
  }
  return bind::list_of<nb::str>(std::move(result));
}

}  // namespace

void register_corpus_spacing(nb::module_& m) {
  nb::class_<Spacing>(m, "Spacing")
      .def(
          "__init__",
          [](Spacing* self, bool english, bool french, bool unspaced_gap) {
            new (self) Spacing;
            self->usual = {english, french, unspaced_gap};
          },
          "english"_a, "french"_a, "unspaced_gap"_a)
      .def("add", &add, "lines"_a, "offsets"_a, "begins"_a, "ends"_a)
      .def("add_row", &Spacing::add_row, "row"_a)
      .def("rows", &Spacing::rows)
      .def("prepare", &Spacing::prepare)
      .def_rw("spaced_stops", &Spacing::spaced_stops)
      .def_rw("all_stops", &Spacing::all_stops)
      .def_rw("apostrophes", &Spacing::apostrophes)
      .def("spaces", &spaces, "words"_a, "fixed"_a.none())
      .def(
          "join",
          [](const Spacing& self, bind::Lines lines, int threads) {
            std::vector<Spacing::Memory> memory(engine::resolve_threads(threads),
                                                Spacing::memory());
            return bind::map_lines(lines, threads, [&](std::string_view line, int worker) {
              return self.join(line, memory[worker]);
            });
          },
          "lines"_a, "threads"_a);
}
