#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "engine/parallel.hh"
#include "graph/read_graphs.hh"
#include "graph/write_graphs.hh"
#include "graph_pool.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_graph_text(nb::module_& m) {
  m.def("graph_formats", &graph::graph_formats);

  // The parts of a pool and the names of its features.
  m.def(
      "read_graphs",
      [](std::string_view format, const std::string& path, bind::Blocks blocks,
         std::vector<std::string> names) {
        const auto reader = graph::make_graph_reader(format, path, {std::move(names)});
        for (nb::handle block : blocks) {
          const auto bytes = nb::cast<nb::bytes>(block);
          const std::string_view view(bytes.c_str(), bytes.size());
          nb::gil_scoped_release release;
          reader->feed(view);
        }
        {
          nb::gil_scoped_release release;
          reader->finish();
        }
        std::vector<std::string> features;
        for (std::uint32_t i = 0; i < reader->features().size(); ++i)
          features.emplace_back(reader->features().text(i));
        return bind::tuple_of(bind::to_python(std::move(reader->pool())), std::move(features));
      },
      "format"_a, "path"_a, "blocks"_a, "names"_a);

  // The lines of the sentences [begin, end).
  m.def(
      "graphs_as_text",
      [](const bind::GraphArrays& pool, std::string_view format, const StringIndex& vocabulary,
         const std::vector<std::string>& features, bind::In<double> weights, std::int64_t begin,
         std::int64_t end, int threads) {
        if (weights.size() > 0) bind::check_weights(pool.view, weights);
        if (begin < 0 || end < begin || end > pool.view.sentences())
          throw nb::value_error("sentences outside the pool");
        if (static_cast<std::int64_t>(vocabulary.size()) < pool.view.vocabulary ||
            static_cast<std::int64_t>(features.size()) != pool.view.features)
          throw nb::value_error("names that do not fit the pool");
        std::string out;
        {
          nb::gil_scoped_release release;
          std::vector<std::string> texts(end - begin);
          const graph::GraphNames names{vocabulary, features};
          engine::parallel_for(texts.size(), threads, [&](std::size_t i) {
            texts[i] = graph::graph_as_text(
                format, pool.view.sentence(begin + static_cast<std::int64_t>(i)), begin + i, names,
                weights.size() > 0 ? weights.data() : nullptr);
          });
          for (const std::string& text : texts) out += text;
        }
        return out;
      },
      "pool"_a, "format"_a, "vocabulary"_a, "features"_a, "weights"_a, "begin"_a, "end"_a,
      "threads"_a);
}
