#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/spread.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

template <typename Compute>
auto without_gil(const Compute& compute) {
  nb::gil_scoped_release release;
  return compute();
}

}  // namespace

void register_tune_spread(nb::module_& m) {
  m.def(
      "dense_spread",
      [](const bind::PoolArrays& pool, int threads) {
        return bind::to_numpy(without_gil([&] {
          return tune::spread_within(pool.view.offsets, pool.view.dense, pool.view.dense_size,
                                     threads);
        }));
      },
      "pool"_a, "threads"_a);
  m.def(
      "sparse_size",
      [](const bind::PoolArrays& pool, int threads) {
        return tune::root_mean_square(pool.view.sparse_values, threads);
      },
      "pool"_a, "threads"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def(
      "row_spread",
      [](const bind::PoolArrays& pool, bind::In<double> values, int threads) {
        bind::check_rows(pool.view, values);
        return without_gil(
            [&] { return tune::spread_within(pool.view.offsets, values.data(), 1, threads)[0]; });
      },
      "pool"_a, "values"_a, "threads"_a);
}
