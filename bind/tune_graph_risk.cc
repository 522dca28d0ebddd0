#include <nanobind/nanobind.h>

#include "arrays.hh"
#include "tune/graph_risk.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check(const tune::GraphRisk& risk, const bind::In<double>& weights) {
  if (static_cast<std::int64_t>(weights.size()) != risk.space().pool().features)
    throw nb::value_error("one weight per feature is needed");
}

}  // namespace

void register_tune_graph_risk(nb::module_& m) {
  nb::class_<tune::GraphRisk>(m, "GraphRisk")
      .def(
          "__init__",
          [](tune::GraphRisk* self, const graph::BleuSpace& space, const metrics::Gain& gain,
             bind::In<double> scale, double factor, double l2, int threads) {
            if (gain.size() != space.scorer().size())
              throw nb::value_error("the metric's statistics are not those of BLEU");
            if (static_cast<std::int64_t>(scale.size()) != space.pool().features)
              throw nb::value_error("one scale per feature is needed");
            new (self) tune::GraphRisk(space, gain, bind::span_of(scale), factor, l2, threads);
          },
          "space"_a, "gain"_a, "scale"_a, "factor"_a, "l2"_a, "threads"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>())
      .def(
          "value",
          [](tune::GraphRisk& self, bind::In<double> weights) {
            check(self, weights);
            std::vector<double> gradient(weights.size());
            double value = 0.0;
            {
              nb::gil_scoped_release release;
              value = self(bind::span_of(weights), gradient);
            }
            return bind::tuple_of(value, bind::to_numpy(std::move(gradient)),
                                  bind::to_numpy(std::vector<double>(self.expected())));
          },
          "weights"_a)
      .def(
          "descend",
          [](tune::GraphRisk& self, bind::In<double> weights, int iterations) {
            check(self, weights);
            const auto given = bind::span_of(weights);
            std::vector<double> end(given.begin(), given.end());
            double value = 0.0;
            {
              nb::gil_scoped_release release;
              value = self.descend(end, iterations);
            }
            return bind::tuple_of(bind::to_numpy(std::move(end)), value);
          },
          "weights"_a, "iterations"_a);
}
