#include "graph/graph_envelope.hh"

#include <nanobind/nanobind.h>

#include "graph/viterbi.hh"
#include "graph_pool.hh"
#include "paths.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_graph_envelope(nb::module_& m) {
  m.def(
      "graph_envelope",
      [](const bind::GraphArrays& graphs, std::int64_t sentence, bind::In<double> weights,
         bind::In<double> direction) {
        bind::check_weights(graphs.view, weights);
        bind::check_weights(graphs.view, direction);
        if (sentence < 0 || sentence >= graphs.view.sentences())
          throw nb::value_error("a sentence outside the pool");
        bind::PathArrays paths;
        std::vector<double> lines;
        const graph::GraphView graph = graphs.view.sentence(sentence);
        if (!graph.empty()) {
          nb::gil_scoped_release release;
          graph::GraphEnvelope envelope;
          envelope.find(graph, graph::edge_scores(graph, weights.data()),
                        graph::edge_scores(graph, direction.data()));
          std::vector<std::uint32_t> edges;
          for (std::size_t i = 0; i < envelope.lines().size(); ++i) {
            envelope.derivation(i, edges);
            paths.add(sentence, edges);
            lines.push_back(envelope.lines()[i].intercept);
            lines.push_back(envelope.lines()[i].slope);
          }
        }
        const std::size_t rows = lines.size() / 2;
        return bind::tuple_of(bind::to_numpy(std::move(lines), {rows, 2}),
                              std::move(paths).to_python());
      },
      "graphs"_a, "sentence"_a, "weights"_a, "direction"_a);
}
