#include <nanobind/nanobind.h>

#include "graph_pool.hh"
#include "paths.hh"
#include "tune/line_search/graph_line_search.hh"
#include "tune/line_search/hill_climb.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check(const tune::GraphLineSearch& search, const bind::In<double>& vector) {
  if (static_cast<int>(vector.size()) != search.features())
    throw nb::value_error("one number per feature is needed");
}

}  // namespace

void register_tune_graph_line(nb::module_& m) {
  nb::class_<tune::GraphLineSearch>(m, "GraphLineSearch")
      .def(
          "__init__",
          [](tune::GraphLineSearch* self, const bind::GraphArrays& graphs,
             const StringIndex& vocabulary, const metrics::SegmentScorer& scorer,
             const metrics::Gain& gain, bind::In<double> scale, int threads) {
            if (graphs.view.sentences() > static_cast<std::int64_t>(scorer.sentences()))
              throw nb::value_error("a sentence without references");
            if (vocabulary.size() != static_cast<std::uint64_t>(graphs.view.vocabulary))
              throw nb::value_error("the vocabulary is not that of the graphs");
            if (gain.size() != scorer.size())
              throw nb::value_error("the scorer has statistics of another metric");
            if (static_cast<std::int64_t>(scale.size()) != graphs.view.features)
              throw nb::value_error("one scale per feature is needed");
            new (self) tune::GraphLineSearch(graphs.view, vocabulary, scorer, gain,
                                             bind::span_of(scale), threads);
          },
          "graphs"_a, "vocabulary"_a, "scorer"_a, "gain"_a, "scale"_a, "threads"_a,
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          nb::keep_alive<1, 5>())
      .def(
          "climb",
          [](tune::GraphLineSearch& self, bind::In<double> start, const tune::ClimbOptions& options,
             std::uint64_t stream) {
            check(self, start);
            const auto features = static_cast<std::size_t>(self.features());
            if (options.low.size() != features || options.high.size() != features)
              throw nb::value_error("one limit per feature is needed");
            tune::Climb end;
            {
              nb::gil_scoped_release release;
              end = tune::climb(self, bind::span_of(start), options, stream);
            }
            return bind::tuple_of(bind::to_numpy(std::move(end.weights)), end.gain, end.searches);
          },
          "start"_a, "options"_a, "stream"_a)
      .def(
          "along",
          [](tune::GraphLineSearch& self, bind::In<double> weights, bind::In<double> direction,
             double low, double high) {
            check(self, weights);
            check(self, direction);
            std::vector<double> values;
            {
              nb::gil_scoped_release release;
              self.start(weights.data());
              for (const tune::Interval& one : self.along(direction.data(), {low, high}))
                values.insert(values.end(), {one.from, one.to, one.gain});
            }
            const std::size_t rows = values.size() / 3;
            return bind::tuple_of(bind::to_numpy(std::move(values), {rows, 3}), self.here());
          },
          "weights"_a, "direction"_a, "low"_a, "high"_a)
      .def("paths", [](const tune::GraphLineSearch& self) {
        bind::PathArrays paths;
        for (std::int64_t s = 0; s < self.sentences(); ++s)
          for (const auto& edges : self.derivations(s)) paths.add(s, edges);
        return std::move(paths).to_python();
      });
}
