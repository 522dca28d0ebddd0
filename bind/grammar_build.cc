#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "grammar/build_table.hh"
#include "links.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

AlignedCorpus corpus_of(const bind::In<std::uint64_t>& source_offsets,
                        const bind::In<std::uint32_t>& source_ids,
                        const bind::In<std::uint64_t>& target_offsets,
                        const bind::In<std::uint32_t>& target_ids, const LinkView& links) {
  bind::check_offsets(bind::span_of(source_offsets), source_ids.size());
  bind::check_offsets(bind::span_of(target_offsets), target_ids.size());
  return {bind::span_of(source_offsets), bind::span_of(target_offsets), bind::span_of(source_ids),
          bind::span_of(target_ids), links};
}

}  // namespace

void register_grammar_build(nb::module_& m) {
  nb::enum_<OrientationModel>(m, "OrientationModel")
      .value("WORD", OrientationModel::kWord)
      .value("PHRASE", OrientationModel::kPhrase)
      .value("HIERARCHICAL", OrientationModel::kHierarchical);
  nb::enum_<CountSmoothing>(m, "CountSmoothing")
      .value("NONE", CountSmoothing::kNone)
      .value("GOOD_TURING", CountSmoothing::kGoodTuring)
      .value("KNESER_NEY", CountSmoothing::kKneserNey);
  nb::class_<TableOptions>(m, "TableOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "max_length", [](const TableOptions& self) { return self.extraction.max_source_length; },
          [](TableOptions& self, int length) {
            self.extraction.max_source_length = self.extraction.max_target_length = length;
          })
      .def_prop_rw(
          "orientation", [](const TableOptions& self) { return self.extraction.orientation; },
          [](TableOptions& self, OrientationModel model) { self.extraction.orientation = model; })
      .def_rw("smoothing", &TableOptions::smoothing)
      .def_prop_rw(
          "previous", [](const TableOptions& self) { return self.reordering.previous; },
          [](TableOptions& self, bool value) { self.reordering.previous = value; })
      .def_prop_rw(
          "next", [](const TableOptions& self) { return self.reordering.next; },
          [](TableOptions& self, bool value) { self.reordering.next = value; })
      .def_prop_rw(
          "mslr", [](const TableOptions& self) { return self.reordering.mslr; },
          [](TableOptions& self, bool value) { self.reordering.mslr = value; })
      .def_prop_rw(
          "on_pair", [](const TableOptions& self) { return self.reordering.on_pair; },
          [](TableOptions& self, bool value) { self.reordering.on_pair = value; })
      .def_prop_rw(
          "reordering_smoothing",
          [](const TableOptions& self) { return self.reordering.smoothing; },
          [](TableOptions& self, double value) { self.reordering.smoothing = value; })
      .def_rw("limit", &TableOptions::limit)
      .def_rw("min_count", &TableOptions::min_count)
      .def_rw("memory", &TableOptions::memory)
      .def_rw("threads", &TableOptions::threads);

  m.def(
      "build_phrase_table",
      [](bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
         bind::In<std::uint64_t> target_offsets, bind::In<std::uint32_t> target_ids,
         bind::In<std::uint64_t> link_offsets, bind::In<std::uint32_t> link_sources,
         bind::In<std::uint32_t> link_targets, const StringIndex& source_vocabulary,
         const StringIndex& target_vocabulary, const TableOptions& options, const std::string& path,
         const std::string& meta, nb::object extracted) {
        const AlignedCorpus corpus =
            corpus_of(source_offsets, source_ids, target_offsets, target_ids,
                      bind::links_of(link_offsets, link_sources, link_targets));
        TableReport report;
        {
          nb::gil_scoped_release release;
          report = build_phrase_table(corpus, source_vocabulary, target_vocabulary, options, path,
                                      meta, [&](std::size_t sentences) {
                                        nb::gil_scoped_acquire acquire;
                                        extracted(sentences);
                                      });
        }
        return std::tuple(report.instances, report.pairs, report.sources, report.rules);
      },
      "source_offsets"_a, "source_ids"_a, "target_offsets"_a, "target_ids"_a, "link_offsets"_a,
      "link_sources"_a, "link_targets"_a, "source_vocabulary"_a, "target_vocabulary"_a, "options"_a,
      "path"_a, "meta"_a, "extracted"_a);
}
