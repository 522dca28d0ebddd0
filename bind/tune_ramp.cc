#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/ramp.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_tune_ramp(nb::module_& m) {
  m.def(
      "augmented_best",
      [](const bind::PoolArrays& pool, bind::In<double> costs, double factor,
         bind::In<double> weights, int threads) {
        bind::check_rows(pool.view, costs);
        bind::check_weights(pool.view, weights);
        std::vector<std::int64_t> rows;
        {
          nb::gil_scoped_release release;
          rows = tune::augmented_best(pool.view, bind::span_of(costs), factor,
                                      bind::span_of(weights), threads);
        }
        return bind::to_numpy(std::move(rows));
      },
      "pool"_a, "costs"_a, "factor"_a, "weights"_a, "threads"_a);
  m.def(
      "ramp_epoch",
      [](const bind::PoolArrays& pool, bind::In<double> costs, bind::In<std::int64_t> hopes,
         bind::In<std::int64_t> order, bind::In<double> anchor_scores, bind::In<double> deviation,
         double fear_factor, double rate, double lambda, int batch, int threads) {
        bind::check_rows(pool.view, costs);
        bind::check_rows(pool.view, anchor_scores);
        bind::check_weights(pool.view, deviation);
        bind::check_choice(pool.view, bind::span_of(hopes));
        bind::check_sentences(pool.view, bind::span_of(order));
        if (batch < 1) throw nb::value_error("a batch has at least one sentence");
        const auto before = bind::span_of(deviation);
        std::vector<double> after(before.begin(), before.end());
        double loss;
        {
          nb::gil_scoped_release release;
          const tune::RampEpoch options{
              .fear_factor = fear_factor, .rate = rate, .lambda = lambda, .batch = batch};
          loss = tune::ramp_epoch(pool.view, bind::span_of(costs), bind::span_of(hopes),
                                  bind::span_of(order), bind::span_of(anchor_scores), options,
                                  after, threads);
        }
        return bind::tuple_of(bind::to_numpy(std::move(after)), loss);
      },
      "pool"_a, "costs"_a, "hopes"_a, "order"_a, "anchor_scores"_a, "deviation"_a, nb::kw_only(),
      "fear_factor"_a, "rate"_a, "regularisation"_a, "batch"_a, "threads"_a);
}
