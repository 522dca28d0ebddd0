#include <nanobind/nanobind.h>

#include "paths.hh"
#include "tune/graph_mira.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check_space(const tune::GraphMira& mira, const graph::BleuSpace& space) {
  if (static_cast<std::int64_t>(mira.weights().size()) != space.pool().features)
    throw nb::value_error("one weight per feature is needed");
  if (static_cast<int>(mira.background().size()) != space.scorer().size())
    throw nb::value_error("the metric's statistics are not those of BLEU");
}

}  // namespace

void register_tune_graph_mira(nb::module_& m) {
  nb::class_<tune::GraphMira>(m, "GraphMira")
      .def(
          "__init__",
          [](tune::GraphMira* self, const metrics::Gain& gain, bind::In<double> start,
             bind::In<double> scale, bind::In<double> background, double background_size,
             double step_cap, double decay, double gain_scale, int beam, int threads) {
            if (scale.size() != start.size())
              throw nb::value_error("one scale per feature is needed");
            if (static_cast<int>(background.size()) != gain.size())
              throw nb::value_error("one background count per statistic is needed");
            new (self) tune::GraphMira(gain, bind::span_of(start), bind::span_of(scale),
                                       bind::span_of(background), background_size,
                                       {.step_cap = step_cap,
                                        .decay = decay,
                                        .gain_scale = gain_scale,
                                        .beam = beam,
                                        .threads = threads});
          },
          "gain"_a, "start"_a, "scale"_a, "background"_a, nb::kw_only(), "background_size"_a,
          "step_cap"_a, "decay"_a, "gain_scale"_a, "beam"_a, "threads"_a, nb::keep_alive<1, 2>())
      .def(
          "run_pass",
          [](tune::GraphMira& self, const graph::BleuSpace& space, bind::In<std::int64_t> order) {
            check_space(self, space);
            const auto sentences = bind::span_of(order);
            for (const std::int64_t s : sentences)
              if (s < 0 || s >= space.sentences())
                throw nb::value_error("a sentence outside the pool");
            nb::gil_scoped_release release;
            return self.run_pass(space, sentences);
          },
          "space"_a, "order"_a)
      .def("average", [](const tune::GraphMira& self) { return bind::to_numpy(self.average()); })
      .def("weights",
           [](const tune::GraphMira& self) {
             return bind::to_numpy(std::vector<double>(self.weights()));
           })
      .def_prop_ro("seen", &tune::GraphMira::seen)
      .def("background",
           [](const tune::GraphMira& self) {
             return bind::to_numpy(std::vector<double>(self.background()));
           })
      .def_prop_ro("background_size", &tune::GraphMira::background_size)
      .def("paths", [](const tune::GraphMira& self) {
        bind::PathArrays paths;
        for (const tune::GraphMira::Path& path : self.paths()) paths.add(path.sentence, path.edges);
        return std::move(paths).to_python();
      });
}
