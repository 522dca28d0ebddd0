#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "arrays.hh"
#include "base/error.hh"
#include "corpus/word_exchange.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_clusters(nb::module_& m) {
  nb::class_<corpus::WordExchange>(m, "WordExchange")
      .def(
          "__init__",
          [](corpus::WordExchange* self, bind::In<std::uint64_t> sentences,
             bind::In<std::uint32_t> ids, std::uint32_t vocabulary, std::uint32_t classes,
             std::uint32_t min_count, int threads) {
            const auto offsets = bind::span_of(sentences);
            const auto words = bind::span_of(ids);
            if (offsets.empty() || offsets.front() != 0 || offsets.back() != words.size() ||
                !std::is_sorted(offsets.begin(), offsets.end()))
              throw Error("sentence offsets that do not fit the words");
            nb::gil_scoped_release release;
            new (self)
                corpus::WordExchange(offsets, words, vocabulary, classes, min_count, threads);
          },
          "sentences"_a, "ids"_a, "vocabulary"_a, "classes"_a, "min_count"_a, "threads"_a)
      .def("sweep", &corpus::WordExchange::sweep, nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("information", &corpus::WordExchange::information)
      .def_prop_ro("classes", &corpus::WordExchange::classes)
      .def("assignment",
           [](const corpus::WordExchange& self) { return bind::to_numpy(self.assignment()); })
      .def("paths", &corpus::WordExchange::paths, nb::call_guard<nb::gil_scoped_release>());
}
