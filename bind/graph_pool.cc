#include "graph_pool.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_graph_pool(nb::module_& m) {
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
            const GraphPoolView view{bind::span_of(node_offsets),
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
            check_graphs(view, &names);
            new (self) bind::GraphArrays{
                node_offsets,    edge_offsets, tail_offsets,   tails,        word_offsets, words,
                feature_offsets, feature_ids,  feature_values, source_spans, view};
          },
          "node_offsets"_a, "edge_offsets"_a, "tail_offsets"_a, "tails"_a, "word_offsets"_a,
          "words"_a, "feature_offsets"_a, "feature_ids"_a, "feature_values"_a, "source_spans"_a,
          "names"_a, "vocabulary"_a);
}
