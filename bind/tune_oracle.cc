#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/oracle.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_tune_oracle(nb::module_& m) {
  m.def(
      "greedy_oracle",
      [](const bind::PoolArrays& pool, const metrics::Gain& gain, bind::In<std::int64_t> rows,
         bool lowest, int threads) {
        bind::check_gain(pool.view, gain);
        bind::check_choice(pool.view, bind::span_of(rows));
        std::vector<std::int64_t> chosen;
        {
          nb::gil_scoped_release release;
          chosen = tune::greedy_oracle(pool.view, gain, bind::span_of(rows), lowest, threads);
        }
        return bind::to_numpy(std::move(chosen));
      },
      "pool"_a, "gain"_a, "rows"_a, "lowest"_a, "threads"_a);
}
