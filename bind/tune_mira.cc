#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/batch_mira.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_tune_mira(nb::module_& m) {
  nb::class_<tune::BatchMira>(m, "BatchMira")
      .def(
          "__init__",
          [](tune::BatchMira* self, const bind::PoolArrays& pool, const metrics::Gain& gain,
             bind::In<double> start, bind::In<double> background, double step_cap, double decay,
             double gain_scale, int threads) {
            bind::check_weights(pool.view, start);
            bind::check_gain(pool.view, gain);
            if (static_cast<int>(background.size()) != pool.view.stats_size)
              throw nb::value_error("one background count per statistic is needed");
            new (self) tune::BatchMira(
                pool.view, gain, bind::span_of(start), bind::span_of(background),
                {.step_cap = step_cap, .decay = decay, .gain_scale = gain_scale}, threads);
          },
          "pool"_a, "gain"_a, "start"_a, "background"_a, nb::kw_only(), "step_cap"_a, "decay"_a,
          "gain_scale"_a, "threads"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def(
          "keep_within",
          [](tune::BatchMira& self, bind::In<std::int64_t> places, bind::In<double> low,
             bind::In<double> high) {
            const std::int64_t size = self.pool().dense_size + self.pool().sparse_size;
            bool fits = places.size() == low.size() && places.size() == high.size();
            for (std::size_t i = 0; fits && i < places.size(); ++i)
              fits = places.data()[i] >= 0 && places.data()[i] < size &&
                     low.data()[i] <= high.data()[i];
            if (!fits) throw nb::value_error("limits that do not fit the weights");
            self.keep_within(bind::span_of(places), bind::span_of(low), bind::span_of(high));
          },
          "places"_a, "low"_a, "high"_a)
      .def(
          "run_pass",
          [](tune::BatchMira& self, bind::In<std::int64_t> order) {
            const auto sentences = bind::span_of(order);
            bind::check_sentences(self.pool(), sentences);
            nb::gil_scoped_release release;
            return self.run_pass(sentences);
          },
          "order"_a)
      .def("average", [](const tune::BatchMira& self) { return bind::to_numpy(self.average()); });
}
