#include "metrics/resample.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "base/error.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Rows = bind::In<std::int32_t, 2>;

void check(const metrics::Gain& gain, const Rows& rows, std::size_t segments) {
  if (rows.shape(1) != static_cast<std::size_t>(gain.size()) || rows.shape(0) != segments)
    throw OptionError("the systems' statistics differ in shape or are not this metric's");
}

}  // namespace

void register_resample(nb::module_& m) {
  m.def(
      "bootstrap_gains",
      [](const metrics::Gain& gain, std::vector<Rows> systems, std::size_t trials,
         std::uint64_t seed, int threads) {
        if (systems.empty() || systems[0].shape(0) == 0)
          throw OptionError("nothing to resample: no systems or no segments");
        const std::size_t segments = systems[0].shape(0);
        std::vector<metrics::SystemStats> rows;
        for (const Rows& system : systems) {
          check(gain, system, segments);
          rows.push_back(system.data());
        }
        std::vector<double> out(trials * rows.size());
        {
          nb::gil_scoped_release release;
          metrics::bootstrap_gains(gain, rows, segments, trials, seed, out.data(), threads);
        }
        return bind::to_numpy(std::move(out), {trials, rows.size()});
      },
      "gain"_a, "systems"_a, "trials"_a, "seed"_a, "threads"_a = 1);
  m.def(
      "exchange_gains",
      [](const metrics::Gain& gain, std::vector<Rows> first, std::vector<Rows> second,
         std::size_t trials, std::uint64_t seed, int threads) {
        if (first.empty() || first[0].shape(0) == 0)
          throw OptionError("nothing to resample: no segments");
        if (first.size() != second.size())
          throw OptionError("the systems have unequal numbers of runs");
        const std::size_t segments = first[0].shape(0);
        std::vector<metrics::SystemStats> one, other;
        for (std::size_t run = 0; run < first.size(); ++run) {
          check(gain, first[run], segments);
          check(gain, second[run], segments);
          one.push_back(first[run].data());
          other.push_back(second[run].data());
        }
        std::vector<double> out(2 * trials);
        {
          nb::gil_scoped_release release;
          metrics::exchange_gains(gain, one, other, segments, trials, seed, out.data(), threads);
        }
        return bind::to_numpy(std::move(out), {trials, 2});
      },
      "gain"_a, "first"_a, "second"_a, "trials"_a, "seed"_a, "threads"_a = 1);
}
