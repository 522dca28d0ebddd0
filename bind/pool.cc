#include "pool.hh"

#include <nanobind/nanobind.h>

#include <vector>

#include "engine/parallel.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// Native loops trust a view, so everything an index could run past is checked here.
void check(const PoolView& pool, std::size_t dense_rows, std::size_t stats_rows) {
  const auto rows = static_cast<std::int64_t>(dense_rows);
  if (pool.offsets.empty() || pool.offsets.front() != 0 || pool.offsets.back() != rows)
    throw nb::value_error("sentence offsets do not cover the rows");
  for (std::size_t s = 1; s < pool.offsets.size(); ++s)
    if (pool.offsets[s] <= pool.offsets[s - 1])
      throw nb::value_error("a sentence without hypotheses");
  if (stats_rows != dense_rows)
    throw nb::value_error("statistics and features have different numbers of rows");
  const auto sparse_offsets = pool.sparse_offsets;
  if (static_cast<std::int64_t>(sparse_offsets.size()) != rows + 1 || sparse_offsets.front() != 0 ||
      sparse_offsets.back() != static_cast<std::int64_t>(pool.sparse_ids.size()) ||
      pool.sparse_ids.size() != pool.sparse_values.size())
    throw nb::value_error("sparse offsets do not cover the sparse values");
  for (std::int64_t row = 0; row < rows; ++row)
    if (sparse_offsets[row + 1] < sparse_offsets[row])
      throw nb::value_error("sparse offsets must not fall");
  for (const std::uint32_t id : pool.sparse_ids)
    if (id >= pool.sparse_size) throw nb::value_error("a sparse id without a name");
}

}  // namespace

void register_pool(nb::module_& m) {
  nb::class_<bind::PoolArrays>(m, "PoolArrays")
      .def(
          "__init__",
          [](bind::PoolArrays* self, bind::In<std::int64_t> offsets, bind::In<float, 2> dense,
             bind::In<std::int64_t> sparse_offsets, bind::In<std::uint32_t> sparse_ids,
             bind::In<float> sparse_values, std::int64_t sparse_size,
             bind::In<std::int32_t, 2> stats) {
            const PoolView view{bind::span_of(offsets),
                                dense.data(),
                                static_cast<int>(dense.shape(1)),
                                bind::span_of(sparse_offsets),
                                bind::span_of(sparse_ids),
                                bind::span_of(sparse_values),
                                sparse_size,
                                stats.data(),
                                static_cast<int>(stats.shape(1))};
            check(view, dense.shape(0), stats.shape(0));
            new (self) bind::PoolArrays{view};
          },
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(), nb::keep_alive<1, 8>(),
          "offsets"_a.noconvert(), "dense"_a.noconvert(), "sparse_offsets"_a.noconvert(),
          "sparse_ids"_a.noconvert(), "sparse_values"_a.noconvert(), "sparse_size"_a,
          "stats"_a.noconvert())
      .def(
          "scores",
          [](const bind::PoolArrays& self, bind::In<double> weights, int threads) {
            bind::check_weights(self.view, weights);
            std::vector<double> scores(self.view.rows());
            {
              nb::gil_scoped_release release;
              engine::parallel_for(
                  scores.size(), threads,
                  [&](std::size_t row) { scores[row] = self.view.score(row, weights.data()); },
                  4096);
            }
            return bind::to_numpy(std::move(scores));
          },
          "weights"_a, "threads"_a)
      .def(
          "best",
          [](const bind::PoolArrays& self, bind::In<double> weights, int threads) {
            bind::check_weights(self.view, weights);
            std::vector<std::int64_t> rows(self.view.sentences());
            {
              nb::gil_scoped_release release;
              engine::parallel_for(
                  rows.size(), threads,
                  [&](std::size_t s) { rows[s] = self.view.best(s, weights.data()); }, 32);
            }
            return bind::to_numpy(std::move(rows));
          },
          "weights"_a, "threads"_a);
}
