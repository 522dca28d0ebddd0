#include <nanobind/nanobind.h>

#include <cmath>

#include "pool.hh"
#include "tune/pair_sampler.hh"
#include "tune/pairwise.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

std::vector<tune::Pair> checked_pairs(const PoolView& pool, const bind::In<std::int64_t, 2>& rows) {
  if (rows.shape(1) != 2) throw nb::value_error("a pair has two rows");
  std::vector<tune::Pair> pairs;
  pairs.reserve(rows.shape(0));
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    const tune::Pair pair{rows.data()[2 * i], rows.data()[2 * i + 1]};
    for (const std::int64_t row : {pair.good, pair.bad})
      if (row < 0 || row >= pool.rows()) throw nb::value_error("a row outside the pool");
    pairs.push_back(pair);
  }
  return pairs;
}

auto to_python(tune::PairwiseResult&& result) {
  return bind::tuple_of(bind::to_numpy(std::move(result.weights)), result.objective,
                        result.iterations, result.converged);
}

}  // namespace

void register_tune_pro(nb::module_& m) {
  m.def(
      "sample_pairs",
      [](const bind::PoolArrays& pool, bind::In<double> gains, bool sigmoid, int candidates,
         int keep, double threshold, double softness, std::uint64_t seed, int threads) {
        bind::check_rows(pool.view, gains);
        using Acceptance = tune::PairSampling::Acceptance;
        const tune::PairSampling options{
            .acceptance = sigmoid ? Acceptance::kSigmoid : Acceptance::kThreshold,
            .candidates = candidates,
            .keep = keep,
            .threshold = threshold,
            .softness = softness};
        std::vector<std::int64_t> rows;
        {
          nb::gil_scoped_release release;
          for (const auto [good, bad] :
               tune::sample_pairs(pool.view, bind::span_of(gains), options, seed, threads)) {
            rows.push_back(good);
            rows.push_back(bad);
          }
        }
        const std::size_t count = rows.size() / 2;
        return bind::to_numpy(std::move(rows), {count, 2});
      },
      "pool"_a, "gains"_a, nb::kw_only(), "sigmoid"_a, "candidates"_a, "keep"_a, "threshold"_a,
      "softness"_a, "seed"_a, "threads"_a);
  m.def(
      "fit_logistic",
      [](const bind::PoolArrays& pool, bind::In<std::int64_t, 2> rows, double lambda,
         bind::In<double> start, double tolerance, int iterations, int threads) {
        bind::check_weights(pool.view, start);
        const auto pairs = checked_pairs(pool.view, rows);
        tune::PairwiseResult result;
        {
          nb::gil_scoped_release release;
          result = tune::fit_logistic(pool.view, pairs, lambda, bind::span_of(start), tolerance,
                                      iterations, threads);
        }
        return to_python(std::move(result));
      },
      "pool"_a, "pairs"_a, nb::kw_only(), "regularisation"_a, "start"_a, "tolerance"_a,
      "iterations"_a, "threads"_a);
  m.def(
      "fit_hinge",
      [](const bind::PoolArrays& pool, bind::In<std::int64_t, 2> rows, double lambda,
         double tolerance, int iterations, std::uint64_t seed) {
        const auto pairs = checked_pairs(pool.view, rows);
        tune::PairwiseResult result;
        {
          nb::gil_scoped_release release;
          result = tune::fit_hinge(pool.view, pairs, lambda, tolerance, iterations, seed);
        }
        return to_python(std::move(result));
      },
      "pool"_a, "pairs"_a, nb::kw_only(), "regularisation"_a, "tolerance"_a, "iterations"_a,
      "seed"_a);
}
