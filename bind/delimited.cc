#include "formats/delimited.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "mapped.hh"
#include "nbest.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

struct StringParts {
  bind::Out<char> data;
  bind::Out<std::int64_t> offsets;
};

StringParts to_python(formats::StringArray&& strings) {
  return {bind::to_numpy(std::move(strings.bytes)), bind::to_numpy(std::move(strings.offsets))};
}

struct TableParts {
  bind::Out<std::int64_t> ids;
  std::optional<std::vector<std::string>> id_names;
  StringParts texts;
  std::vector<StringParts> more;
  bind::Out<float> numbers;
  std::optional<bind::Out<double>> totals;
  bind::Out<std::int64_t> lines;
  std::uint64_t skipped = 0;
};

// The table and the bytes that it looks at.
struct TableAndOwner {
  nb::bytes data;
  formats::DelimitedTable table;
};

std::string_view view_of(const nb::bytes& data) { return {data.c_str(), data.size()}; }

TableParts read_table(const TableAndOwner& self, int id, int text, std::optional<int> total,
                      std::vector<int> more, std::vector<int> numbers, bool skip_bad_lines,
                      int threads) {
  const int names = static_cast<int>(self.table.names().size());
  const auto there = [&](int column) { return column >= 0 && column < names; };
  if (!there(id) || !there(text) || (total && !there(*total)) ||
      !std::all_of(more.begin(), more.end(), there) ||
      !std::all_of(numbers.begin(), numbers.end(), there) ||
      !std::is_sorted(more.begin(), more.end()) || !std::is_sorted(numbers.begin(), numbers.end()))
    throw OptionError("columns that the table does not have, or not in its order");
  const std::size_t width = numbers.size();
  formats::DelimitedParts parts;
  {
    nb::gil_scoped_release release;
    parts = self.table.read({id, text, total.value_or(-1), std::move(more), std::move(numbers)},
                            skip_bad_lines, engine::resolve_threads(threads));
  }
  TableParts out;
  const std::size_t rows = parts.ids.size();
  out.ids = bind::to_numpy(std::move(parts.ids));
  if (parts.ids_are_names) out.id_names = bind::names_of(parts.id_names);
  out.texts = to_python(std::move(parts.texts));
  for (formats::StringArray& one : parts.more) out.more.push_back(to_python(std::move(one)));
  out.numbers = bind::to_numpy(std::move(parts.numbers), {rows, width});
  if (total) out.totals = bind::to_numpy(std::move(parts.totals));
  out.lines = bind::to_numpy(std::move(parts.lines));
  out.skipped = parts.skipped;
  return out;
}

StringParts gather_strings(bind::In<std::uint8_t> data, bind::In<std::int64_t> offsets,
                           bind::In<std::int64_t> places) {
  formats::StringArray out;
  const auto from = bind::span_of(offsets);
  const auto* bytes = reinterpret_cast<const char*>(data.data());
  {
    nb::gil_scoped_release release;
    const auto count = static_cast<std::int64_t>(from.size()) - 1;
    for (const std::int64_t place : bind::span_of(places)) {
      if (place < 0 || place >= count || from[place] < 0 || from[place] > from[place + 1] ||
          from[place + 1] > static_cast<std::int64_t>(data.size()))
        throw OptionError("no text " + std::to_string(place));
      out.add({bytes + from[place], static_cast<std::size_t>(from[place + 1] - from[place])});
    }
  }
  return to_python(std::move(out));
}

}  // namespace

void register_delimited(nb::module_& m) {
  nb::class_<StringParts>(m, "StringParts")
      .def_ro("data", &StringParts::data, bind::kShared)
      .def_ro("offsets", &StringParts::offsets, bind::kShared);
  m.def("gather_strings", gather_strings, "data"_a, "offsets"_a, "places"_a);
  nb::class_<TableParts>(m, "TableParts")
      .def_ro("ids", &TableParts::ids, bind::kShared)
      .def_ro("id_names", &TableParts::id_names)
      .def_ro("texts", &TableParts::texts)
      .def_ro("more", &TableParts::more)
      .def_ro("numbers", &TableParts::numbers, bind::kShared)
      .def_ro("totals", &TableParts::totals, bind::kShared)
      .def_ro("lines", &TableParts::lines, bind::kShared)
      .def_ro("skipped", &TableParts::skipped);
  nb::class_<formats::Quoting>(m, "Quoting")
      .def_ro("quoted", &formats::Quoting::quoted)
      .def_ro("special", &formats::Quoting::special)
      .def_ro("header", &formats::Quoting::header)
      .def_ro("broken", &formats::Quoting::broken);
  m.def(
      "quoting_of",
      [](const nb::bytes& data, char separator) {
        return formats::quoting_of(view_of(data), separator);
      },
      "data"_a, "separator"_a);
  nb::class_<TableAndOwner>(m, "DelimitedTable")
      .def(
          "__init__",
          [](TableAndOwner* self, const std::string& path, nb::bytes data, char separator,
             bool quoted) {
            formats::DelimitedTable table(path, view_of(data), separator, quoted);
            new (self) TableAndOwner{std::move(data), std::move(table)};
          },
          "path"_a, "data"_a, "separator"_a, "quoted"_a)
      .def_prop_ro("names", [](const TableAndOwner& self) { return self.table.names(); })
      .def_prop_ro("rows", [](const TableAndOwner& self) { return self.table.rows(); })
      .def(
          "cells",
          [](const TableAndOwner& self, std::size_t row) {
            if (row >= self.table.rows()) throw nb::index_error("no such row");
            std::vector<nb::bytes> cells;
            for (const std::string& cell : self.table.cells(row))
              cells.emplace_back(cell.data(), cell.size());
            return cells;
          },
          "row"_a)
      .def("read", read_table, "id"_a, "text"_a, "total"_a.none(), "more"_a, "numbers"_a,
           "skip_bad_lines"_a, "threads"_a);
}
