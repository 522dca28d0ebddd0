#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "features/build_features.hh"
#include "features/carry_features.hh"
#include "features/feature_names.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

std::uint64_t checked(const features::RuleFeatures& features, int table, std::uint64_t rule) {
  if (table < 0 || table >= features.tables() || rule >= features.rules(table))
    throw nb::index_error();
  return rule;
}

}  // namespace

void register_features(nb::module_& m) {
  nb::class_<features::RuleFeatures>(m, "RuleFeatures")
      .def(nb::init<const std::string&>(), "path"_a)
      .def("__len__", &features::RuleFeatures::size)
      .def_prop_ro("meta",
                   [](const features::RuleFeatures& self) { return std::string(self.meta()); })
      .def_prop_ro("tables", &features::RuleFeatures::tables)
      .def("table_of", &features::RuleFeatures::table_of, "table"_a)
      .def("entries",
           [](const features::RuleFeatures& self, int table) {
             if (table < 0 || table >= self.tables()) throw nb::index_error();
             return self.entries(table);
           })
      .def("name",
           [](const features::RuleFeatures& self, std::uint32_t id) {
             if (id >= self.size()) throw nb::index_error();
             return std::string(self.name(id));
           })
      // The names back to back, and where each ends.
      .def("names",
           [](nb::handle_t<features::RuleFeatures> self) {
             const auto& features = nb::cast<const features::RuleFeatures&>(self);
             const auto bytes = features.name_bytes();
             return bind::tuple_of(
                 bind::view(
                     std::span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()),
                     self),
                 bind::view(features.name_ends(), self));
           })
      .def("row", [](const features::RuleFeatures& self, int table, std::uint64_t rule) {
        const SparseRow row = self.row(table, checked(self, table, rule));
        std::vector<std::tuple<std::uint32_t, float>> entries;
        for (std::size_t i = 0; i < row.size(); ++i) entries.emplace_back(row.ids[i], row.value(i));
        return entries;
      });

  nb::class_<features::RuleTemplate>(m, "RuleTemplate");
  m.def("target_unaligned", &features::target_unaligned, "words"_a);
  m.def("count_bin", &features::count_bin, "bounds"_a);
  m.def("word_pair", &features::word_pair, "source_words"_a, "target_words"_a);
  m.def("length_bin", &features::length_bin);
  m.def("name_part", &features::name_part, "word"_a);

  nb::enum_<features::WordKind>(m, "WordKind")
      .value("SOURCE", features::WordKind::kSource)
      .value("TARGET", features::WordKind::kTarget)
      .value("UNALIGNED_TARGET", features::WordKind::kUnalignedTarget);
  m.def(
      "frequent_words",
      [](const std::vector<const grammar::PhraseTable*>& tables, features::WordKind kind,
         std::size_t size) {
        nb::gil_scoped_release release;
        return features::frequent_words(tables, kind, size);
      },
      "tables"_a, "kind"_a, "size"_a);

  nb::class_<features::RuleFeaturesWriter>(m, "RuleFeaturesWriter")
      .def(nb::init<std::string>(), "path"_a)
      .def("name_id", [](features::RuleFeaturesWriter& self,
                         std::string_view name) { return self.names().add(name); })
      .def_prop_ro("size", [](features::RuleFeaturesWriter& self) { return self.names().size(); })
      .def(
          "add_table",
          [](features::RuleFeaturesWriter& self, const grammar::PhraseTable& table,
             const std::vector<features::RuleTemplate*>& templates, bind::In<std::uint64_t> ends,
             bind::In<std::uint32_t> ids, bind::In<float> values, int threads, bind::Done done) {
            const features::GivenRows given{bind::span_of(ends), bind::span_of(ids),
                                            bind::span_of(values)};
            nb::gil_scoped_release release;
            features::add_features(self, table, templates, given, threads, [&](std::size_t rules) {
              nb::gil_scoped_acquire acquire;
              done(rules);
            });
          },
          "table"_a, "templates"_a, "ends"_a, "ids"_a, "values"_a, "threads"_a, "done"_a)
      .def("carry_table", &features::carry_features, "features"_a, "whole"_a, "table"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("write", &features::RuleFeaturesWriter::write, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>());
}
