#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "grammar/scfg/read_scfg.hh"
#include "grammar/scfg/scfg_file.hh"
#include "paths.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_grammar_scfg(nb::module_& m) {
  nb::class_<grammar::ScfgGrammar>(m, "ScfgGrammar")
      .def(nb::init<>())
      .def("__len__", [](const grammar::ScfgGrammar& self) { return self.rules.size(); })
      // Whole lines of a file, the first of which is line `first_line`.
      .def(
          "add",
          [](grammar::ScfgGrammar& self, nb::bytes text, const std::string& path,
             std::uint64_t first_line) {
            const std::string_view lines(text.c_str(), text.size());
            nb::gil_scoped_release release;
            grammar::read_scfg(lines, path, first_line, self);
          },
          "text"_a, "path"_a, "first_line"_a)
      .def("distinct",
           [](const grammar::ScfgGrammar& self) {
             nb::gil_scoped_release release;
             return grammar::distinct_rules(self);
           })
      // Mapped back by `load`.
      .def(
          "save",
          [](const grammar::ScfgGrammar& self, const std::string& path) {
            nb::gil_scoped_release release;
            grammar::save_scfg(self, path);
          },
          "path"_a)
      .def_static(
          "load",
          [](const std::string& path) {
            nb::gil_scoped_release release;
            return grammar::load_scfg(path);
          },
          "path"_a)
      .def("features",
           [](const grammar::ScfgGrammar& self) {
             std::vector<std::string> names;
             for (std::uint32_t i = 0; i < self.features.size(); ++i)
               names.emplace_back(self.features.text(i));
             return names;
           })
      .def("text", [](const grammar::ScfgGrammar& self) {
        std::string text;
        {
          nb::gil_scoped_release release;
          text = grammar::scfg_text(self.rules, self.source_words, self.target_words, self.labels,
                                    self.features);
        }
        return nb::bytes(text.data(), text.size());
      });
  m.def(
      "grammar_word", [](const std::string& word) { return grammar::grammar_word(word); },
      "word"_a);
}
