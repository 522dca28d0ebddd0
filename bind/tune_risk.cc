#include <nanobind/nanobind.h>

#include "pool.hh"
#include "tune/risk.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_tune_risk(nb::module_& m) {
  m.def(
      "risk_objective",
      [](const bind::PoolArrays& pool, bind::In<double> costs, double lambda,
         bind::In<double> weights, int threads) {
        bind::check_rows(pool.view, costs);
        bind::check_weights(pool.view, weights);
        nb::gil_scoped_release release;
        return tune::risk_objective(pool.view, bind::span_of(costs), lambda, bind::span_of(weights),
                                    threads);
      },
      "pool"_a, "costs"_a, "regularisation"_a, "weights"_a, "threads"_a);
  m.def(
      "risk_gradient",
      [](const bind::PoolArrays& pool, bind::In<double> costs, double lambda,
         bind::In<double> weights, int threads) {
        bind::check_rows(pool.view, costs);
        bind::check_weights(pool.view, weights);
        std::vector<double> gradient;
        {
          nb::gil_scoped_release release;
          gradient = tune::risk_gradient(pool.view, bind::span_of(costs), lambda,
                                         bind::span_of(weights), threads);
        }
        return bind::to_numpy(std::move(gradient));
      },
      "pool"_a, "costs"_a, "regularisation"_a, "weights"_a, "threads"_a);
  m.def(
      "risk_epoch",
      [](const bind::PoolArrays& pool, bind::In<double> costs, bind::In<std::int64_t> order,
         bind::In<double> weights, double lambda, double rate, int batch, double time,
         int threads) {
        bind::check_rows(pool.view, costs);
        bind::check_weights(pool.view, weights);
        bind::check_sentences(pool.view, bind::span_of(order));
        if (batch < 1) throw nb::value_error("a batch has at least one sentence");
        const auto before = bind::span_of(weights);
        std::vector<double> after(before.begin(), before.end());
        {
          nb::gil_scoped_release release;
          time = tune::risk_epoch(pool.view, bind::span_of(costs), bind::span_of(order),
                                  {.rate = rate, .lambda = lambda, .batch = batch, .time = time},
                                  after, threads);
        }
        return bind::tuple_of(bind::to_numpy(std::move(after)), time);
      },
      "pool"_a, "costs"_a, "order"_a, "weights"_a, nb::kw_only(), "regularisation"_a, "rate"_a,
      "batch"_a, "time"_a, "threads"_a);
}
