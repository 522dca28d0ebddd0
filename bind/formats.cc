#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "formats/nbest_store.hh"
#include "mapped.hh"
#include "nbest.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// Where a list's arrays go: the names of NbestList's fields.
nb::dict to_python(NbestStore& store, const NbestReport& report) {
  const std::size_t rows = store.ids.size(), width = store.schema.dense.size();
  nb::dict out;
  out["dialect"] = nb::str(nbest_dialect_name(report.dialect).data());
  out["lines"] = report.lines;
  out["skipped"] = report.skipped;
  out["offsets"] = bind::to_numpy(std::move(store.offsets));
  out["text_bytes"] = bind::to_numpy(std::move(store.texts.bytes));
  out["text_offsets"] = bind::to_numpy(std::move(store.texts.offsets));
  if (store.has_extras) {
    out["extra_bytes"] = bind::to_numpy(std::move(store.extras.bytes));
    out["extra_offsets"] = bind::to_numpy(std::move(store.extras.offsets));
  }
  if (store.has_totals) out["totals"] = bind::to_numpy(std::move(store.totals));
  out["dense"] = bind::to_numpy(std::move(store.dense), {rows, width});
  out["dense_names"] = nb::tuple(nb::cast(bind::names_of(store.schema.dense)));
  out["sparse_offsets"] = bind::to_numpy(std::move(store.sparse_offsets));
  out["sparse_ids"] = bind::to_numpy(std::move(store.sparse_ids));
  out["sparse_values"] = bind::to_numpy(std::move(store.sparse_values));
  out["sparse_names"] = nb::tuple(nb::cast(bind::names_of(store.sparse_names)));
  return out;
}

}  // namespace

void register_formats(nb::module_& m) {
  m.def("nbest_dialects", [] {
    std::vector<std::string> names;
    for (const std::string_view name : nbest_dialect_names()) names.emplace_back(name);
    return names;
  });
  m.def(
      "read_nbest",
      [](const std::string& path, nb::object blocks, std::string_view dialect, bool skip_bad_lines,
         int threads, const std::vector<std::string>& dense, std::size_t part_bytes) {
        NbestStore store;
        for (const std::string& name : dense) store.schema.add(name, false);
        NbestReadOptions options;
        options.dialect = nbest_dialect(dialect);
        options.skip_bad_lines = skip_bad_lines;
        options.threads = threads;
        if (part_bytes > 0) options.part_bytes = part_bytes;
        NbestReader reader(path, store.schema, store, options);
        const NbestReport report = bind::read_all(reader, blocks);
        store.finish(report);
        return to_python(store, report);
      },
      "path"_a, "blocks"_a.none(), "dialect"_a, "skip_bad_lines"_a, "threads"_a, "dense"_a,
      "part_bytes"_a = 0);
}
