#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/structured_svm.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_tune_svm(nb::module_& m) {
  nb::class_<tune::StructuredSvm>(m, "StructuredSvm")
      .def(
          "__init__",
          [](tune::StructuredSvm* self, const bind::PoolArrays& pool, bind::In<double> costs,
             double lambda, bind::In<double> start, int threads) {
            bind::check_rows(pool.view, costs);
            bind::check_weights(pool.view, start);
            new (self) tune::StructuredSvm(pool.view, bind::span_of(costs), lambda,
                                           bind::span_of(start), threads);
          },
          "pool"_a, "costs"_a, nb::kw_only(), "regularisation"_a, "start"_a, "threads"_a,
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
      .def("select_oracles", &tune::StructuredSvm::select_oracles,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "optimise",
          [](tune::StructuredSvm& self, double tolerance, int rounds, std::uint64_t seed) {
            tune::StructuredSvm::Result result;
            {
              nb::gil_scoped_release release;
              result = self.optimise(tolerance, rounds, seed);
            }
            return bind::tuple_of(result.objective, result.gap, result.rounds);
          },
          "tolerance"_a, "rounds"_a, "seed"_a)
      .def("weights", [](const tune::StructuredSvm& self) {
        return bind::to_numpy(std::vector<double>(self.weights()));
      });
}
