#include <nanobind/nanobind.h>

#include <vector>

#include "metrics/gain.hh"
#include "pool.hh"
#include "tune/slack_search.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

tune::SlackProblem problem_of(const tune::PoolColumns& columns, const bind::In<double>& oracle,
                              double l2, bool right_ends) {
  if (static_cast<int>(oracle.size()) != columns.features())
    throw nb::value_error("one sum of the oracle per dense feature is needed");
  if (!(l2 > 0.0)) throw nb::value_error("l2 must be above 0");
  tune::SlackProblem problem;
  problem.columns = &columns;
  problem.oracle.assign(oracle.data(), oracle.data() + oracle.size());
  problem.l2 = l2;
  problem.right_ends = right_ends;
  return problem;
}

}  // namespace

void register_tune_slack(nb::module_& m) {
  nb::class_<tune::SlackProblem>(m, "SlackProblem")
      .def_static(
          "s_slack",
          [](const tune::PoolColumns& columns, bind::In<double> oracle, bind::In<double> losses,
             double l2, bool right_ends) {
            tune::SlackProblem problem = problem_of(columns, oracle, l2, right_ends);
            const PoolView& pool = columns.pool();
            if (static_cast<std::int64_t>(losses.size()) != pool.rows())
              throw nb::value_error("one loss per hypothesis is needed");
            problem.losses.resize(columns.slots());
            for (std::int64_t s = 0; s < pool.sentences(); ++s)
              for (std::int64_t i = 0; i < columns.size(s); ++i)
                problem.losses[columns.begin(s) + i] =
                    losses.data()[pool.offsets[s] + (i < columns.rows(s) ? i : 0)];
            return problem;
          },
          "columns"_a, "oracle"_a, "losses"_a, "l2"_a, "right_ends"_a, nb::keep_alive<0, 1>())
      .def_static(
          "one_slack",
          [](const tune::PoolColumns& columns, bind::In<double> oracle, const metrics::Gain& gain,
             double oracle_gain, double scale, double l2, bool right_ends) {
            if (gain.size() != columns.pool().stats_size)
              throw nb::value_error("the pool has statistics of another metric");
            tune::SlackProblem problem = problem_of(columns, oracle, l2, right_ends);
            problem.gain = &gain;
            problem.scale = scale;
            problem.oracle_gain = oracle_gain;
            return problem;
          },
          "columns"_a, "oracle"_a, "gain"_a, "oracle_gain"_a, "scale"_a, "l2"_a, "right_ends"_a,
          nb::keep_alive<0, 1>(), nb::keep_alive<0, 3>())
      .def(
          "lowest_along",
          [](const tune::SlackProblem& self, bind::In<double> weights, int feature) {
            if (static_cast<int>(weights.size()) != self.columns->features())
              throw nb::value_error("one weight per dense feature is needed");
            if (feature < 0 || feature >= self.columns->features())
              throw nb::index_error("no such feature");
            tune::SlackSearch search(self);
            search.start(weights.data());
            const tune::SlackSearch::Point lowest = search.lowest_along(feature);
            return bind::tuple_of(search.objective(), lowest.step, lowest.objective);
          },
          "weights"_a, "feature"_a)
      .def(
          "climb",
          [](const tune::SlackProblem& self, bind::In<double, 2> starts, int rounds,
             std::uint64_t seed, int threads) {
            const auto features = static_cast<std::size_t>(self.columns->features());
            if (starts.shape(1) != features)
              throw nb::value_error("one weight per dense feature is needed");
            std::vector<tune::SlackClimb> climbs;
            {
              nb::gil_scoped_release release;
              climbs = tune::slack_climb(self, bind::span_of(starts), rounds, seed, threads);
            }
            std::vector<double> weights, objectives;
            for (const tune::SlackClimb& climb : climbs) {
              weights.insert(weights.end(), climb.weights.begin(), climb.weights.end());
              objectives.push_back(climb.objective);
            }
            return bind::tuple_of(bind::to_numpy(std::move(weights), {climbs.size(), features}),
                                  bind::to_numpy(std::move(objectives)));
          },
          "starts"_a, "rounds"_a, "seed"_a, "threads"_a);
}
