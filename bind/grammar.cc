#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>

#include "arrays.hh"
#include "grammar/moses_table.hh"
#include "grammar/phrase_table.hh"
#include "grammar/table_twins.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

std::string joined(const StringIndex& vocabulary, std::span<const std::uint32_t> words) {
  std::string out;
  for (const std::uint32_t word : words) {
    if (!out.empty()) out += ' ';
    out += vocabulary.text(word);
  }
  return out;
}

std::uint64_t checked_rule(const grammar::PhraseTable& table, std::uint64_t rule) {
  if (rule >= table.rules()) throw nb::index_error();
  return rule;
}

std::vector<float> floats(const float* values, int count) {
  return values == nullptr ? std::vector<float>() : std::vector<float>(values, values + count);
}

}  // namespace

void register_grammar(nb::module_& m) {
  nb::class_<grammar::MosesTableImporter>(m, "MosesTableImporter")
      .def(nb::init<int, int>(), "scores_per_rule"_a, "reordering_per_rule"_a)
      .def(
          "add_phrases",
          [](grammar::MosesTableImporter& self, nb::bytes lines, const std::string& path,
             std::uint64_t first_line) {
            const std::string_view view(lines.c_str(), lines.size());
            nb::gil_scoped_release release;
            self.add_phrases(view, path, first_line);
          },
          "lines"_a, "path"_a, "first_line"_a)
      .def(
          "add_reordering",
          [](grammar::MosesTableImporter& self, nb::bytes lines, const std::string& path,
             std::uint64_t first_line) {
            const std::string_view view(lines.c_str(), lines.size());
            nb::gil_scoped_release release;
            self.add_reordering(view, path, first_line);
          },
          "lines"_a, "path"_a, "first_line"_a)
      .def_prop_ro("rules", &grammar::MosesTableImporter::rules)
      .def("write", &grammar::MosesTableImporter::write, "path"_a, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>());

  nb::class_<grammar::PhraseTable>(m, "PhraseTable")
      .def(nb::init<const std::string&>(), "path"_a)
      .def_prop_ro("sources", &grammar::PhraseTable::sources)
      .def_prop_ro("rules", &grammar::PhraseTable::rules)
      .def_prop_ro("scores_per_rule", &grammar::PhraseTable::scores_per_rule)
      .def_prop_ro("reordering_per_rule", &grammar::PhraseTable::reordering_per_rule)
      .def_prop_ro("meta",
                   [](const grammar::PhraseTable& self) { return std::string(self.meta()); })
      .def("find",
           [](const grammar::PhraseTable& self, const std::vector<std::string>& words) {
             std::vector<std::uint32_t> ids;
             for (const std::string& word : words) {
               ids.push_back(self.source_vocabulary().find(word));
               if (ids.back() == StringIndex::kMissing)
                 return std::tuple<std::uint64_t, std::uint64_t>(0, 0);
             }
             const grammar::RuleRange range = self.find(grammar::phrase_key(ids));
             return std::tuple<std::uint64_t, std::uint64_t>(range.begin, range.end);
           })
      // The rule with these words, or None.
      .def("find_pair",
           [](const grammar::PhraseTable& self, const std::vector<std::string>& source,
              const std::vector<std::string>& target) -> std::optional<std::uint32_t> {
             const std::vector<std::string_view> f(source.begin(), source.end());
             const std::vector<std::string_view> e(target.begin(), target.end());
             const std::uint32_t rule = grammar::find_pair(self, f, e);
             if (rule == grammar::kNoRule) return std::nullopt;
             return rule;
           })
      .def("rules_of",
           [](const grammar::PhraseTable& self, std::uint64_t source) {
             if (source >= self.sources()) throw nb::index_error();
             const grammar::RuleRange range = self.rules_of(source);
             return std::tuple<std::uint64_t, std::uint64_t>(range.begin, range.end);
           })
      .def("source",
           [](const grammar::PhraseTable& self, std::uint64_t source) {
             if (source >= self.sources()) throw nb::index_error();
             return joined(self.source_vocabulary(), self.source(source));
           })
      .def("target",
           [](const grammar::PhraseTable& self, std::uint64_t rule) {
             return joined(self.target_vocabulary(), self.target(checked_rule(self, rule)));
           })
      .def("scores",
           [](const grammar::PhraseTable& self, std::uint64_t rule) {
             return floats(self.scores(checked_rule(self, rule)), self.scores_per_rule());
           })
      .def("counts",
           [](const grammar::PhraseTable& self, std::uint64_t rule) {
             return floats(self.counts(checked_rule(self, rule)), 3);
           })
      .def("reordering",
           [](const grammar::PhraseTable& self, std::uint64_t rule) {
             return floats(self.reordering(checked_rule(self, rule)), self.reordering_per_rule());
           })
      .def("links", [](const grammar::PhraseTable& self, std::uint64_t rule) {
        std::vector<std::tuple<int, int>> out;
        for (const std::uint16_t link : self.links(checked_rule(self, rule)))
          out.emplace_back(link >> 8, link & 0xFF);
        return out;
      });
}
