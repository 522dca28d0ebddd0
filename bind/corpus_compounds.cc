#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "corpus/compounds.hh"
#include "engine/parallel.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_corpus_compounds(nb::module_& m) {
  nb::class_<corpus::CompoundSplitter>(m, "CompoundSplitter")
      .def(
          "__init__",
          [](corpus::CompoundSplitter* self, bind::Lines words, bind::In<std::uint64_t> counts,
             std::vector<std::string> fillers, int min_length) {
            const auto values = bind::span_of(counts);
            new (self)
                corpus::CompoundSplitter(bind::views_of(words), {values.begin(), values.end()},
                                         std::move(fillers), min_length);
          },
          "words"_a, "counts"_a, "fillers"_a, "min_length"_a)
      .def(
          "split",
          [](const corpus::CompoundSplitter& self, bind::Lines words, int threads) {
            const auto views = bind::views_of(words);
            std::vector<std::vector<std::uint32_t>> parts(views.size());
            nb::gil_scoped_release release;
            engine::parallel_for(
                views.size(), threads, [&](std::size_t i) { parts[i] = self.split(views[i]); },
                256);
            return parts;
          },
          "words"_a, "threads"_a);
}
