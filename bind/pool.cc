#include "pool.hh"

#include <nanobind/nanobind.h>

#include <vector>

#include "engine/parallel.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// Native loops trust a view, so everything an index could run past is checked here.
PoolView checked_view(const bind::PoolArrays& arrays) {
  const auto offsets = bind::span_of(arrays.offsets);
  const auto sparse_offsets = bind::span_of(arrays.sparse_offsets);
  const auto ids = bind::span_of(arrays.sparse_ids);
  const auto rows = static_cast<std::int64_t>(arrays.dense.shape(0));
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != rows)
    throw nb::value_error("sentence offsets do not cover the rows");
  for (std::size_t s = 1; s < offsets.size(); ++s)
    if (offsets[s] <= offsets[s - 1]) throw nb::value_error("a sentence without hypotheses");
  if (static_cast<std::int64_t>(arrays.stats.shape(0)) != rows)
    throw nb::value_error("statistics and features have different numbers of rows");
  if (static_cast<std::int64_t>(sparse_offsets.size()) != rows + 1 || sparse_offsets.front() != 0 ||
      sparse_offsets.back() != static_cast<std::int64_t>(ids.size()) ||
      ids.size() != arrays.sparse_values.size())
    throw nb::value_error("sparse offsets do not cover the sparse values");
  for (std::int64_t row = 0; row < rows; ++row)
    if (sparse_offsets[row + 1] < sparse_offsets[row])
      throw nb::value_error("sparse offsets must not fall");
  for (const std::uint32_t id : ids)
    if (id >= arrays.sparse_size) throw nb::value_error("a sparse id without a name");
  PoolView view;
  view.offsets = offsets;
  view.dense = arrays.dense.data();
  view.dense_size = static_cast<int>(arrays.dense.shape(1));
  view.sparse_offsets = sparse_offsets;
  view.sparse_ids = ids;
  view.sparse_values = bind::span_of(arrays.sparse_values);
  view.sparse_size = arrays.sparse_size;
  view.stats = arrays.stats.data();
  view.stats_size = static_cast<int>(arrays.stats.shape(1));
  return view;
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
            bind::PoolArrays arrays{offsets,       dense,       sparse_offsets, sparse_ids,
                                    sparse_values, sparse_size, stats,          {}};
            arrays.view = checked_view(arrays);
            new (self) bind::PoolArrays(std::move(arrays));
          },
          "offsets"_a, "dense"_a, "sparse_offsets"_a, "sparse_ids"_a, "sparse_values"_a,
          "sparse_size"_a, "stats"_a)
      .def(
          "scores",
          [](const bind::PoolArrays& self, bind::In<double> weights, int threads) {
            bind::check_weights(self.view, weights);
            std::vector<double> scores(self.view.rows());
            {
              nb::gil_scoped_release release;
              parallel_for(
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
              parallel_for(
                  rows.size(), threads,
                  [&](std::size_t s) { rows[s] = self.view.best(s, weights.data()); }, 32);
            }
            return bind::to_numpy(std::move(rows));
          },
          "weights"_a, "threads"_a);
}
