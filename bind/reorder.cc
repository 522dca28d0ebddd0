#include <nanobind/nanobind.h>

#include "arrays.hh"
#include "reorder/dual_trainer.hh"
#include "reorder/primal_trainer.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check_weights(const reorder::Examples& examples, const bind::In<double>& weights) {
  if (weights.size() != examples.weights())
    throw nb::value_error("one weight per feature and class is needed");
}

void register_primal(nb::module_& m) {
  nb::class_<reorder::PrimalOptions>(m, "PrimalOptions")
      .def(nb::init<>())
      .def_rw("variance", &reorder::PrimalOptions::variance)
      .def_rw("rate", &reorder::PrimalOptions::rate)
      .def_rw("averaged", &reorder::PrimalOptions::averaged)
      .def_rw("seed", &reorder::PrimalOptions::seed);
  nb::class_<reorder::PrimalTrainer>(m, "PrimalTrainer")
      .def(nb::init<const reorder::Examples&, const reorder::PrimalOptions&>(),
           nb::keep_alive<1, 2>(), nb::call_guard<nb::gil_scoped_release>(), "examples"_a,
           "options"_a)
      .def_static(
          "resumed",
          [](const reorder::Examples& examples, const reorder::PrimalOptions& options,
             bind::In<double> raw, bind::In<double> lagging, bind::In<double> numbers,
             std::uint64_t passes) {
            if (numbers.size() != 4) throw nb::value_error("four numbers are needed");
            const auto copy = [](const auto& array) {
              const auto values = bind::span_of(array);
              return std::vector<double>(values.begin(), values.end());
            };
            const double* n = numbers.data();
            return new reorder::PrimalTrainer(
                examples, options, {copy(raw), copy(lagging), n[0], n[1], n[2], n[3], passes});
          },
          nb::keep_alive<0, 1>(), "examples"_a, "options"_a, "raw"_a, "lagging"_a, "numbers"_a,
          "passes"_a)
      .def("run_pass", &reorder::PrimalTrainer::pass, nb::call_guard<nb::gil_scoped_release>())
      .def("weights",
           [](const reorder::PrimalTrainer& self) { return bind::to_numpy(self.weights()); })
      .def_prop_ro("passes", [](const reorder::PrimalTrainer& self) { return self.state().passes; })
      .def_prop_ro("rate", [](const reorder::PrimalTrainer& self) { return self.state().rate; })
      .def_prop_ro("examples", &reorder::PrimalTrainer::examples)
      .def("state", [](const reorder::PrimalTrainer& self) {
        const reorder::PrimalState& state = self.state();
        return bind::tuple_of(
            bind::to_numpy(std::vector(state.raw)), bind::to_numpy(std::vector(state.lagging)),
            bind::to_numpy(std::vector<double>{state.rate, state.scale, state.sum_of_scales,
                                               state.averaged_steps}));
      });
}

void register_dual(nb::module_& m) {
  nb::class_<reorder::DualOptions>(m, "DualOptions")
      .def(nb::init<>())
      .def_rw("variance", &reorder::DualOptions::variance)
      .def_rw("tolerance", &reorder::DualOptions::tolerance)
      .def_rw("start", &reorder::DualOptions::start)
      .def_rw("trials", &reorder::DualOptions::trials)
      .def_rw("parts", &reorder::DualOptions::parts)
      .def_rw("seed", &reorder::DualOptions::seed);
  nb::class_<reorder::DualTrainer>(m, "DualTrainer")
      .def(nb::init<const reorder::Examples&, const reorder::DualOptions&>(),
           nb::keep_alive<1, 2>(), nb::call_guard<nb::gil_scoped_release>(), "examples"_a,
           "options"_a)
      .def_static(
          "resumed",
          [](const reorder::Examples& examples, const reorder::DualOptions& options,
             bind::In<float> log_alpha, bind::In<double> weights, bind::In<std::uint32_t> active,
             std::uint64_t passes) {
            return new reorder::DualTrainer(examples, options, bind::span_of(log_alpha),
                                            bind::span_of(weights), bind::span_of(active), passes);
          },
          nb::keep_alive<0, 1>(), "examples"_a, "options"_a, "log_alpha"_a, "weights"_a, "active"_a,
          "passes"_a)
      .def(
          "run_pass",
          [](reorder::DualTrainer& self, int threads) {
            reorder::DualPass done;
            {
              nb::gil_scoped_release release;
              done = self.pass(threads);
            }
            return bind::tuple_of(done.visited, done.changed);
          },
          "threads"_a)
      .def("recheck", &reorder::DualTrainer::recheck)
      .def("objective", &reorder::DualTrainer::objective, nb::call_guard<nb::gil_scoped_release>(),
           "threads"_a)
      .def_prop_ro("passes", &reorder::DualTrainer::passes)
      .def_prop_ro("active_count",
                   [](const reorder::DualTrainer& self) { return self.active().size(); })
      // Views of memory that changes with the next pass.
      .def("log_alpha",
           [](nb::handle self) {
             return bind::view(nb::cast<const reorder::DualTrainer&>(self).log_alpha(), self);
           })
      .def("weights",
           [](nb::handle self) {
             return bind::view(nb::cast<const reorder::DualTrainer&>(self).weights(), self);
           })
      .def("active", [](nb::handle self) {
        return bind::view(nb::cast<const reorder::DualTrainer&>(self).active(), self);
      });
}

}  // namespace

void register_reorder(nb::module_& m) {
  nb::class_<reorder::Examples>(m, "OrientationExamples")
      .def(
          "__init__",
          [](reorder::Examples* self, bind::In<std::uint64_t> offsets,
             bind::In<std::uint32_t> features, bind::In<std::uint8_t> classes,
             std::uint32_t feature_count, int class_count) {
            const reorder::Examples examples{bind::span_of(offsets), bind::span_of(features),
                                             bind::span_of(classes), feature_count, class_count};
            {
              nb::gil_scoped_release release;
              reorder::check_examples(examples);
            }
            new (self) reorder::Examples(examples);
          },
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          "offsets"_a.noconvert(), "features"_a.noconvert(), "classes"_a.noconvert(),
          "feature_count"_a, "class_count"_a)
      // Loss and number of errors.
      .def(
          "measure",
          [](const reorder::Examples& self, bind::In<double> weights, int threads) {
            check_weights(self, weights);
            reorder::Fit fit;
            {
              nb::gil_scoped_release release;
              fit = reorder::measure(self, bind::span_of(weights), threads);
            }
            return bind::tuple_of(fit.loss, fit.errors);
          },
          "weights"_a, "threads"_a);
  register_primal(m);
  register_dual(m);
}
