#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "metrics/gain.hh"
#include "pool.hh"
#include "tune/line_search/hill_climb.hh"
#include "tune/line_search/smoothed_count.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check(const tune::PoolColumns& columns, const metrics::Gain& gain) {
  if (gain.size() != columns.pool().stats_size)
    throw nb::value_error("the pool has statistics of another metric");
}

void check(const tune::PoolColumns& columns, const bind::In<double>& vector) {
  if (static_cast<int>(vector.size()) != columns.features())
    throw nb::value_error("one number per dense feature is needed");
}

auto intervals_to_numpy(const tune::ListLineSearch& search,
                        const std::vector<tune::Interval>& intervals) {
  std::vector<double> values;
  values.reserve(3 * intervals.size());
  for (const tune::Interval& interval : intervals)
    values.insert(values.end(), {interval.from, interval.to, interval.gain});
  return bind::tuple_of(bind::to_numpy(std::move(values), {intervals.size(), 3}), search.here());
}

auto climbs_to_numpy(const std::vector<tune::Climb>& climbs, std::size_t features) {
  std::vector<double> weights, gains;
  std::int64_t searches = 0;
  for (const tune::Climb& climb : climbs) {
    weights.insert(weights.end(), climb.weights.begin(), climb.weights.end());
    gains.push_back(climb.gain);
    searches += climb.searches;
  }
  return bind::tuple_of(bind::to_numpy(std::move(weights), {climbs.size(), features}),
                        bind::to_numpy(std::move(gains)), searches);
}

}  // namespace

void register_tune_line(nb::module_& m) {
  nb::class_<tune::PoolColumns>(m, "Columns")
      .def(
          "__init__",
          [](tune::PoolColumns* self, const bind::PoolArrays& pool, int threads) {
            nb::gil_scoped_release release;
            new (self) tune::PoolColumns(pool.view, threads);
          },
          "pool"_a, "threads"_a, nb::keep_alive<1, 2>())
      .def(
          "along_feature",
          [](const tune::PoolColumns& self, const metrics::Gain& gain, bind::In<double> weights,
             int feature, double low, double high) {
            check(self, gain);
            check(self, weights);
            if (feature < 0 || feature >= self.features()) throw nb::index_error("no such feature");
            tune::ListLineSearch search(self, gain);
            search.start(weights.data());
            return intervals_to_numpy(search, search.along(feature, {low, high}));
          },
          "gain"_a, "weights"_a, "feature"_a, "low"_a, "high"_a)
      .def(
          "along",
          [](const tune::PoolColumns& self, const metrics::Gain& gain, bind::In<double> weights,
             bind::In<double> direction, double low, double high) {
            check(self, gain);
            check(self, weights);
            check(self, direction);
            tune::ListLineSearch search(self, gain);
            search.start(weights.data());
            return intervals_to_numpy(search, search.along(direction.data(), {low, high}));
          },
          "gain"_a, "weights"_a, "direction"_a, "low"_a, "high"_a)
      .def(
          "smoothed",
          [](const tune::PoolColumns& self, const metrics::Gain& gain, bind::In<double> weights,
             double sharpness) {
            check(self, gain);
            check(self, weights);
            std::vector<double> scores(self.slots());
            self.combine(weights.data(), scores.data());
            return tune::smoothed_gain(self, gain, scores.data(), scores.data(), 0.0, sharpness);
          },
          "gain"_a, "weights"_a, "sharpness"_a)
      .def(
          "climb",
          [](const tune::PoolColumns& self, const metrics::Gain& gain, bind::In<double, 2> starts,
             const tune::ClimbOptions& options, double sharpness, std::uint64_t first,
             int threads) {
            check(self, gain);
            const auto features = static_cast<std::size_t>(self.features());
            if (starts.shape(1) != features || options.low.size() != features ||
                options.high.size() != features)
              throw nb::value_error("one number per dense feature is needed");
            std::vector<tune::Climb> climbs;
            {
              nb::gil_scoped_release release;
              climbs = tune::climb(self, gain, bind::span_of(starts), options, sharpness, first,
                                   threads);
            }
            return climbs_to_numpy(climbs, features);
          },
          "gain"_a, "starts"_a, "options"_a, "sharpness"_a, "first"_a, "threads"_a);
  nb::class_<tune::ClimbOptions>(m, "ClimbOptions")
      .def(nb::init<>())
      .def_rw("window", &tune::ClimbOptions::window)
      .def_rw("window_lowest", &tune::ClimbOptions::window_lowest)
      .def_rw("random_directions", &tune::ClimbOptions::random_directions)
      .def_rw("rounds", &tune::ClimbOptions::rounds)
      .def_rw("seed", &tune::ClimbOptions::seed)
      .def_rw("low", &tune::ClimbOptions::low)
      .def_rw("high", &tune::ClimbOptions::high);
}
