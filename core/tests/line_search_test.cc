// Line searches: climbs are the same with one and with several threads, and the vector code of
// the inner passes equals the plain one.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "base/pool.hh"
#include "base/random.hh"
#include "metrics/gain.hh"
#include "tune/line_search/hill_climb.hh"
#include "tune/line_search/line_passes.hh"
#include "tune/slack_search.hh"

using namespace tunesmith;

namespace {

constexpr int kDense = 5, kSentences = 40, kHypotheses = 30;

struct OwnedPool {
  OwnedPool() {
    Random random(1);
    offsets.push_back(0);
    for (int s = 0; s < kSentences; ++s) {
      const auto rows = static_cast<std::int64_t>(1 + random.below(kHypotheses));
      for (std::int64_t e = 0; e < rows * kDense; ++e)
        dense.push_back(static_cast<float>(random.normal()));
      for (std::int64_t e = 0; e < rows; ++e) {
        stats.push_back(static_cast<std::int32_t>(random.below(20)));
        stats.push_back(20);
      }
      offsets.push_back(offsets.back() + rows);
    }
    sparse_offsets.assign(offsets.back() + 1, 0);
    view.offsets = offsets;
    view.dense = dense.data();
    view.dense_size = kDense;
    view.sparse_offsets = sparse_offsets;
    view.stats = stats.data();
    view.stats_size = 2;
  }
  std::vector<std::int64_t> offsets, sparse_offsets;
  std::vector<float> dense;
  std::vector<std::int32_t> stats;
  PoolView view;
};

bool climbs_agree(const OwnedPool& pool) {
  const metrics::ErrorRateGain gain;
  Random random(2);
  std::vector<double> starts(16 * kDense);
  for (double& weight : starts) weight = random.normal();
  tune::ClimbOptions options;
  options.random_directions = 2;
  options.low.assign(kDense, -INFINITY);
  options.high.assign(kDense, INFINITY);
  const tune::PoolColumns one(pool.view, 1), several(pool.view, 4);
  const auto expected = tune::climb(one, gain, starts, options, 0.0, 0, 1);
  const auto found = tune::climb(several, gain, starts, options, 0.0, 0, 4);
  tune::SlackProblem slack;
  slack.columns = &several;
  slack.oracle.assign(kSentences, 0);
  slack.gain = &gain;
  slack.scale = 100.0;
  const auto low = tune::slack_climb(slack, starts, 5, 1, 1),
             low4 = tune::slack_climb(slack, starts, 5, 1, 4);
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (expected[i].weights != found[i].weights || expected[i].gain != found[i].gain ||
        low[i].weights != low4[i].weights)
      return false;
  return expected.size() == 16;
}

template <typename Slope>
bool passes_agree() {
  Random random(3);
  for (int turn = 0; turn < 500; ++turn) {
    const auto size = static_cast<std::int64_t>(8 * (1 + random.below(6)));
    std::vector<double> intercepts(size);
    std::vector<Slope> slopes(size);
    for (double& value : intercepts) value = static_cast<double>(random.below(7)) / 3.0;
    for (Slope& value : slopes) value = static_cast<Slope>(random.below(5)) / 3;
    const tune::Bar a{random.normal(), 2.0 * random.uniform()}, b{random.normal(), intercepts[0]};
    std::vector<std::int32_t> rows[4];
    for (auto& list : rows) list.resize(size);
    tune::Found wanted_a{rows[0].data()}, wanted_b{rows[1].data()};
    tune::Found found_a{rows[2].data()}, found_b{rows[3].data()};
    tune::plain::above(intercepts.data(), slopes.data(), size, a, b, wanted_a, wanted_b);
    tune::lines_above(intercepts.data(), slopes.data(), size, a, b, found_a, found_b);
    const auto same = [](const tune::Found& x, const tune::Found& y) {
      return std::equal(x.rows, x.rows + x.count, y.rows, y.rows + y.count);
    };
    if (!same(wanted_a, found_a) || !same(wanted_b, found_b)) return false;
    const Slope slope = slopes[random.below(size)];
    if (tune::plain::highest(intercepts.data(), slopes.data(), size, slope) !=
        tune::highest_of_slope(intercepts.data(), slopes.data(), size, slope))
      return false;
  }
  return true;
}

}  // namespace

int main() {
  const OwnedPool pool;
  if (!climbs_agree(pool)) return std::puts("climbs depend on threads"), 1;
  if (!passes_agree<float>() || !passes_agree<double>())
    return std::puts("vector code differs from plain code"), 1;
  return 0;
}
