#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "metrics/gain.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_metrics(nb::module_& m) {
  nb::class_<Gain>(m, "Gain")
      .def_prop_ro("size", &Gain::size)
      .def("__call__", [](const Gain& self, bind::In<double> sums) {
        if (static_cast<int>(sums.size()) != self.size())
          throw nb::value_error("wrong number of statistics");
        return self(sums.data());
      });
  nb::class_<BleuGain, Gain>(m, "BleuGain").def(nb::init<int>(), "order"_a = 4);
  nb::class_<ErrorRateGain, Gain>(m, "ErrorRateGain").def(nb::init<>());
  nb::class_<MeanGain, Gain>(m, "MeanGain")
      .def(nb::init<double, bool>(), "scale"_a, "higher_is_better"_a = true);
  nb::class_<WeightedGain, Gain>(m, "WeightedGain")
      .def(nb::init<std::vector<std::shared_ptr<const Gain>>, std::vector<double>>(), "parts"_a,
           "weights"_a);
}
