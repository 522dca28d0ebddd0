#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "base/error.hh"
#include "formats/nbest_store.hh"
#include "formats/nbest_write.hh"
#include "mapped.hh"
#include "nbest.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// What a list is made of, mostly by the names that Python's NbestList has.
struct NbestParts {
  std::string dialect;
  std::uint64_t lines = 0, skipped = 0;
  std::string header;
  bind::Out<std::int64_t> offsets;
  bind::Out<char> text_bytes;
  bind::Out<std::int64_t> text_offsets;
  std::optional<bind::Out<char>> extra_bytes;
  std::optional<bind::Out<std::int64_t>> extra_offsets;
  std::optional<bind::Out<double>> totals;
  bind::Out<float> dense;
  std::vector<std::string> dense_names;
  bind::Out<std::int64_t> sparse_offsets;
  bind::Out<std::uint32_t> sparse_ids;
  bind::Out<float> sparse_values;
  std::vector<std::string> sparse_names;
};

NbestParts to_python(formats::NbestStore& store, const formats::NbestReport& report) {
  const std::size_t rows = store.ids.size(), width = store.schema.dense.size();
  NbestParts out;
  out.dialect = formats::nbest_dialect_name(report.dialect);
  out.lines = report.lines;
  out.skipped = report.skipped;
  out.header = report.header;
  out.offsets = bind::to_numpy(std::move(store.offsets));
  out.text_bytes = bind::to_numpy(std::move(store.texts.bytes));
  out.text_offsets = bind::to_numpy(std::move(store.texts.offsets));
  if (store.has_extras) {
    out.extra_bytes = bind::to_numpy(std::move(store.extras.bytes));
    out.extra_offsets = bind::to_numpy(std::move(store.extras.offsets));
  }
  if (store.has_totals) out.totals = bind::to_numpy(std::move(store.totals));
  out.dense = bind::to_numpy(std::move(store.dense), {rows, width});
  out.dense_names = bind::names_of(store.schema.dense);
  out.sparse_offsets = bind::to_numpy(std::move(store.sparse_offsets));
  out.sparse_ids = bind::to_numpy(std::move(store.sparse_ids));
  out.sparse_values = bind::to_numpy(std::move(store.sparse_values));
  out.sparse_names = bind::names_of(store.sparse_names);
  return out;
}

// Native code trusts a view, so everything an index could run past is checked here.
bool covers(std::span<const std::int64_t> offsets, std::size_t parts, std::size_t size) {
  return offsets.size() == parts + 1 && offsets.front() == 0 &&
         offsets.back() == static_cast<std::int64_t>(size) &&
         std::is_sorted(offsets.begin(), offsets.end());
}

formats::NbestView view_of(bind::In<std::int64_t> offsets, bind::In<std::uint8_t> text_bytes,
                           bind::In<std::int64_t> text_offsets, bind::In<std::uint8_t> extra_bytes,
                           bind::In<std::int64_t> extra_offsets, bind::In<double> totals,
                           bind::In<float, 2> dense, std::vector<std::string> dense_names,
                           bind::In<std::int64_t> sparse_offsets,
                           bind::In<std::uint32_t> sparse_ids, bind::In<float> sparse_values,
                           std::vector<std::string> sparse_names) {
  formats::NbestView view;
  view.offsets = bind::span_of(offsets);
  view.text_bytes = {reinterpret_cast<const char*>(text_bytes.data()), text_bytes.size()};
  view.text_offsets = bind::span_of(text_offsets);
  view.extra_bytes = {reinterpret_cast<const char*>(extra_bytes.data()), extra_bytes.size()};
  view.extra_offsets = bind::span_of(extra_offsets);
  view.totals = bind::span_of(totals);
  view.dense = dense.data();
  view.dense_names = std::move(dense_names);
  view.sparse_offsets = bind::span_of(sparse_offsets);
  view.sparse_ids = bind::span_of(sparse_ids);
  view.sparse_values = bind::span_of(sparse_values);
  view.sparse_names = std::move(sparse_names);
  const std::size_t rows = dense.shape(0);
  const bool fits =
      !view.offsets.empty() && covers(view.offsets, view.offsets.size() - 1, rows) &&
      covers(view.text_offsets, rows, view.text_bytes.size()) &&
      (view.extra_offsets.empty() || covers(view.extra_offsets, rows, view.extra_bytes.size())) &&
      (view.totals.empty() || view.totals.size() == rows) &&
      dense.shape(1) == view.dense_names.size() &&
      covers(view.sparse_offsets, rows, view.sparse_ids.size()) &&
      view.sparse_values.size() == view.sparse_ids.size() &&
      std::all_of(view.sparse_ids.begin(), view.sparse_ids.end(),
                  [&](std::uint32_t id) { return id < view.sparse_names.size(); });
  if (!fits) throw OptionError("the arrays of an n-best list do not fit each other");
  return view;
}

// The writer and the arrays that it looks at.
struct WriterAndOwners {
  formats::NbestWriter writer;
  std::vector<nb::object> owners;
};

}  // namespace

void register_formats(nb::module_& m) {
  nb::class_<NbestParts>(m, "NbestParts")
      .def_ro("dialect", &NbestParts::dialect)
      .def_ro("lines", &NbestParts::lines)
      .def_ro("skipped", &NbestParts::skipped)
      .def_ro("header", &NbestParts::header)
      .def_ro("offsets", &NbestParts::offsets, bind::kShared)
      .def_ro("text_bytes", &NbestParts::text_bytes, bind::kShared)
      .def_ro("text_offsets", &NbestParts::text_offsets, bind::kShared)
      .def_ro("extra_bytes", &NbestParts::extra_bytes, bind::kShared)
      .def_ro("extra_offsets", &NbestParts::extra_offsets, bind::kShared)
      .def_ro("totals", &NbestParts::totals, bind::kShared)
      .def_ro("dense", &NbestParts::dense, bind::kShared)
      .def_ro("dense_names", &NbestParts::dense_names)
      .def_ro("sparse_offsets", &NbestParts::sparse_offsets, bind::kShared)
      .def_ro("sparse_ids", &NbestParts::sparse_ids, bind::kShared)
      .def_ro("sparse_values", &NbestParts::sparse_values, bind::kShared)
      .def_ro("sparse_names", &NbestParts::sparse_names);
  m.def("nbest_dialects", [] {
    std::vector<std::string> names;
    for (const std::string_view name : formats::nbest_dialect_names()) names.emplace_back(name);
    return names;
  });
  m.def(
      "read_nbest",
      [](const std::string& path, std::optional<bind::Blocks> blocks, std::string_view dialect,
         bool skip_bad_lines, int threads, const std::vector<std::string>& dense,
         const std::string& total, std::size_t part_bytes) {
        formats::NbestStore store;
        store.schema.total = total;
        for (const std::string& name : dense) store.schema.add(name, false);
        if (!total.empty()) store.schema.add(total, true);
        formats::NbestReadOptions options;
        options.dialect = formats::nbest_dialect(dialect);
        options.skip_bad_lines = skip_bad_lines;
        options.threads = threads;
        if (part_bytes > 0) options.part_bytes = part_bytes;
        formats::NbestReader reader(path, store.schema, store, options);
        const formats::NbestReport report = bind::read_all(reader, blocks);
        store.finish(report);
        return to_python(store, report);
      },
      "path"_a, "blocks"_a.none(), "dialect"_a, "skip_bad_lines"_a, "threads"_a, "dense"_a,
      "total"_a = "", "part_bytes"_a = 0);

  nb::class_<WriterAndOwners>(m, "NbestWriter")
      .def(
          "__init__",
          [](WriterAndOwners* self, std::string_view dialect, bind::In<std::int64_t> offsets,
             bind::In<std::uint8_t> text_bytes, bind::In<std::int64_t> text_offsets,
             bind::In<std::uint8_t> extra_bytes, bind::In<std::int64_t> extra_offsets,
             bind::In<double> totals, bind::In<float, 2> dense,
             std::vector<std::string> dense_names, bind::In<std::int64_t> sparse_offsets,
             bind::In<std::uint32_t> sparse_ids, bind::In<float> sparse_values,
             std::vector<std::string> sparse_names) {
            formats::NbestView view =
                view_of(offsets, text_bytes, text_offsets, extra_bytes, extra_offsets, totals,
                        dense, std::move(dense_names), sparse_offsets, sparse_ids, sparse_values,
                        std::move(sparse_names));
            std::vector<nb::object> owners;
            const auto keep = [&](const auto& array) { owners.push_back(nb::cast(array)); };
            keep(offsets), keep(text_bytes), keep(text_offsets), keep(extra_bytes);
            keep(extra_offsets), keep(totals), keep(dense), keep(sparse_offsets);
            keep(sparse_ids), keep(sparse_values);
            new (self) WriterAndOwners{
                formats::NbestWriter(formats::nbest_dialect(dialect), std::move(view)), owners};
          },
          "dialect"_a, "offsets"_a, "text_bytes"_a, "text_offsets"_a, "extra_bytes"_a,
          "extra_offsets"_a, "totals"_a, "dense"_a, "dense_names"_a, "sparse_offsets"_a,
          "sparse_ids"_a, "sparse_values"_a, "sparse_names"_a)
      .def("header", [](const WriterAndOwners& self) { return self.writer.header(); })
      .def(
          "lines",
          [](const WriterAndOwners& self, std::size_t begin, std::size_t end) {
            std::string out;
            {
              nb::gil_scoped_release release;
              out = self.writer.lines(begin, end);
            }
            return out;
          },
          "begin"_a, "end"_a);
}
