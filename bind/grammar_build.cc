#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "aligned_corpus.hh"
#include "grammar/build_table.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_grammar_build(nb::module_& m) {
  nb::enum_<grammar::OrientationModel>(m, "OrientationModel")
      .value("WORD", grammar::OrientationModel::kWord)
      .value("PHRASE", grammar::OrientationModel::kPhrase)
      .value("HIERARCHICAL", grammar::OrientationModel::kHierarchical);
  nb::enum_<grammar::CountSmoothing>(m, "CountSmoothing")
      .value("NONE", grammar::CountSmoothing::kNone)
      .value("GOOD_TURING", grammar::CountSmoothing::kGoodTuring)
      .value("KNESER_NEY", grammar::CountSmoothing::kKneserNey);
  nb::class_<grammar::TableOptions>(m, "TableOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "max_length",
          [](const grammar::TableOptions& self) { return self.extraction.max_source_length; },
          [](grammar::TableOptions& self, int length) {
            self.extraction.max_source_length = self.extraction.max_target_length = length;
          })
      .def_prop_rw(
          "orientation",
          [](const grammar::TableOptions& self) { return self.extraction.orientation; },
          [](grammar::TableOptions& self, grammar::OrientationModel model) {
            self.extraction.orientation = model;
          })
      .def_rw("smoothing", &grammar::TableOptions::smoothing)
      .def_prop_rw(
          "previous", [](const grammar::TableOptions& self) { return self.reordering.previous; },
          [](grammar::TableOptions& self, bool value) { self.reordering.previous = value; })
      .def_prop_rw(
          "next", [](const grammar::TableOptions& self) { return self.reordering.next; },
          [](grammar::TableOptions& self, bool value) { self.reordering.next = value; })
      .def_prop_rw(
          "mslr", [](const grammar::TableOptions& self) { return self.reordering.mslr; },
          [](grammar::TableOptions& self, bool value) { self.reordering.mslr = value; })
      .def_prop_rw(
          "on_pair", [](const grammar::TableOptions& self) { return self.reordering.on_pair; },
          [](grammar::TableOptions& self, bool value) { self.reordering.on_pair = value; })
      .def_prop_rw(
          "reordering_smoothing",
          [](const grammar::TableOptions& self) { return self.reordering.smoothing; },
          [](grammar::TableOptions& self, double value) { self.reordering.smoothing = value; })
      .def_rw("limit", &grammar::TableOptions::limit)
      .def_rw("min_count", &grammar::TableOptions::min_count)
      .def_rw("memory", &grammar::TableOptions::memory)
      .def_rw("threads", &grammar::TableOptions::threads);

  m.def(
      "build_phrase_table",
      [](bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
         bind::In<std::uint64_t> target_offsets, bind::In<std::uint32_t> target_ids,
         bind::In<std::uint64_t> link_offsets, bind::In<std::uint32_t> link_sources,
         bind::In<std::uint32_t> link_targets, const StringIndex& source_vocabulary,
         const StringIndex& target_vocabulary, const grammar::TableOptions& options,
         const std::string& path, const std::string& meta, bind::Done extracted,
         const std::vector<std::string>& shards, bind::In<std::uint8_t> origins, int corpora) {
        grammar::AlignedCorpus corpus =
            bind::corpus_of(source_offsets, source_ids, target_offsets, target_ids,
                            bind::links_of(link_offsets, link_sources, link_targets));
        corpus.origins = bind::span_of(origins);
        corpus.corpora = corpora;
        grammar::TableReport report;
        {
          nb::gil_scoped_release release;
          report = grammar::build_phrase_table(
              corpus, source_vocabulary, target_vocabulary, options, path, meta,
              [&](std::size_t sentences) {
                nb::gil_scoped_acquire acquire;
                extracted(sentences);
              },
              shards);
        }
        return std::tuple(report.instances, report.pairs, report.sources, report.rules);
      },
      "source_offsets"_a, "source_ids"_a, "target_offsets"_a, "target_ids"_a, "link_offsets"_a,
      "link_sources"_a, "link_targets"_a, "source_vocabulary"_a, "target_vocabulary"_a, "options"_a,
      "path"_a, "meta"_a, "extracted"_a, "shards"_a, "origins"_a, "corpora"_a);
  m.def(
      "extract_phrase_pairs",
      [](bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
         bind::In<std::uint64_t> target_offsets, bind::In<std::uint32_t> target_ids,
         bind::In<std::uint64_t> link_offsets, bind::In<std::uint32_t> link_sources,
         bind::In<std::uint32_t> link_targets, const grammar::TableOptions& options,
         std::size_t first, std::size_t last, const std::string& path) {
        const grammar::AlignedCorpus corpus =
            bind::corpus_of(source_offsets, source_ids, target_offsets, target_ids,
                            bind::links_of(link_offsets, link_sources, link_targets));
        nb::gil_scoped_release release;
        grammar::extract_phrase_pairs(corpus, options, first, last, path);
      },
      "source_offsets"_a, "source_ids"_a, "target_offsets"_a, "target_ids"_a, "link_offsets"_a,
      "link_sources"_a, "link_targets"_a, "options"_a, "first"_a, "last"_a, "path"_a);
}
