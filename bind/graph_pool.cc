#include "graph_pool.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_graph_pool(nb::module_& m) {
  nb::class_<bind::GraphParts>(m, "GraphParts")
      .def_ro("node_offsets", &bind::GraphParts::node_offsets, bind::kShared)
      .def_ro("edge_offsets", &bind::GraphParts::edge_offsets, bind::kShared)
      .def_ro("tail_offsets", &bind::GraphParts::tail_offsets, bind::kShared)
      .def_ro("tails", &bind::GraphParts::tails, bind::kShared)
      .def_ro("word_offsets", &bind::GraphParts::word_offsets, bind::kShared)
      .def_ro("words", &bind::GraphParts::words, bind::kShared)
      .def_ro("feature_offsets", &bind::GraphParts::feature_offsets, bind::kShared)
      .def_ro("feature_ids", &bind::GraphParts::feature_ids, bind::kShared)
      .def_ro("feature_values", &bind::GraphParts::feature_values, bind::kShared)
      .def_ro("source_spans", &bind::GraphParts::source_spans, bind::kShared)
      .def_ro("vocabulary", &bind::GraphParts::vocabulary);
  nb::class_<bind::GraphArrays>(m, "GraphArrays")
      .def(
          "__init__",
          [](bind::GraphArrays* self, bind::In<std::int64_t> node_offsets,
             bind::In<std::int64_t> edge_offsets, bind::In<std::int64_t> tail_offsets,
             bind::In<std::uint32_t> tails, bind::In<std::int64_t> word_offsets,
             bind::In<std::int32_t> words, bind::In<std::int64_t> feature_offsets,
             bind::In<std::uint32_t> feature_ids, bind::In<float> feature_values,
             bind::In<std::int32_t, 2> source_spans, const std::vector<std::string>& names,
             std::int64_t vocabulary) {
            const graph::GraphPoolView view{bind::span_of(node_offsets),
                                            bind::span_of(edge_offsets),
                                            bind::span_of(tail_offsets),
                                            bind::span_of(tails),
                                            bind::span_of(word_offsets),
                                            bind::span_of(words),
                                            bind::span_of(feature_offsets),
                                            bind::span_of(feature_ids),
                                            bind::span_of(feature_values),
                                            bind::span_of(source_spans),
                                            static_cast<std::int64_t>(names.size()),
                                            vocabulary};
            graph::check_graphs(view, &names);
            new (self) bind::GraphArrays{view};
          },
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 7>(),
          nb::keep_alive<1, 8>(), nb::keep_alive<1, 9>(), nb::keep_alive<1, 10>(),
          nb::keep_alive<1, 11>(), "node_offsets"_a.noconvert(), "edge_offsets"_a.noconvert(),
          "tail_offsets"_a.noconvert(), "tails"_a.noconvert(), "word_offsets"_a.noconvert(),
          "words"_a.noconvert(), "feature_offsets"_a.noconvert(), "feature_ids"_a.noconvert(),
          "feature_values"_a.noconvert(), "source_spans"_a.noconvert(), "names"_a, "vocabulary"_a);
}
