#include "tune/slack_search.hh"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/radix_sort.hh"
#include "base/random.hh"
#include "engine/parallel.hh"

namespace tunesmith::tune {
namespace {

constexpr double kOpen = std::numeric_limits<double>::max();  // the end of an open interval

}  // namespace

SlackSearch::SlackSearch(const SlackProblem& problem)
    : problem_(problem),
      columns_(*problem.columns),
      walk_(columns_, problem.losses),
      sums_(problem.gain ? columns_.stats_size() : 0),
      moving_(sums_.size()) {}

void SlackSearch::start(const double* weights) {
  walk_.start(weights);
  settle();
}

void SlackSearch::move(int feature, double step) {
  walk_.move(feature, step);
  settle();
}

void SlackSearch::settle() {
  margin_ = squared_ = 0.0;
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) {
    margin_ += walk_.scores()[walk_.winner(s)];
    const std::int32_t* stats = columns_.stats(columns_.kinds()[walk_.winner(s)]);
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] += stats[k];
  }
  for (int f = 0; f < columns_.features(); ++f) {
    margin_ -= weights()[f] * problem_.oracle[f];
    squared_ += weights()[f] * weights()[f];
  }
  objective_ = objective_of(squared_, margin_, loss(sums_));
}

double SlackSearch::objective_of(double squared, double margin, double loss) const {
  const double slack = margin / static_cast<double>(columns_.sentences()) + loss;
  return 0.5 * problem_.l2 * squared + std::max(0.0, slack);
}

double SlackSearch::loss(const std::vector<double>& sums) const {
  if (!problem_.gain) return 0.0;
  return problem_.scale * (problem_.oracle_gain - (*problem_.gain)(sums.data()));
}

SlackSearch::Point SlackSearch::lowest_along(int feature) {
  walk_.look_along(feature, {});
  for (std::vector<Change>* changes : {&walk_.left(), &walk_.right()})
    radix_sort(*changes, scratch_, [](const Change& change) { return std::abs(change.at); });
  const double infinity = std::numeric_limits<double>::infinity();
  Piece here{walk_.left().empty() ? -infinity : walk_.left()[0].at,
             walk_.right().empty() ? infinity : walk_.right()[0].at, margin_,
             -problem_.oracle[feature], loss(sums_)};
  const float* slopes = columns_.column(feature);
  for (std::int64_t s = 0; s < columns_.sentences(); ++s) here.slope += slopes[walk_.winner(s)];
  Point lowest{0.0, objective_};
  visit(feature, here, lowest);
  sweep(walk_.left(), -infinity, feature, here, lowest);
  sweep(walk_.right(), infinity, feature, here, lowest);
  return lowest;
}

void SlackSearch::sweep(const std::vector<Change>& changes, double end, int feature, Piece piece,
                        Point& lowest) {
  const float* slopes = columns_.column(feature);
  const double* scores = walk_.scores();
  moving_ = sums_;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const Change& change = changes[i];
    const double next = i + 1 < changes.size() ? changes[i + 1].at : end;
    piece.from = std::min(change.at, next);
    piece.to = std::max(change.at, next);
    piece.intercept += scores[change.to] - scores[change.from];
    piece.slope += static_cast<double>(slopes[change.to]) - slopes[change.from];
    if (problem_.gain) {
      const std::int32_t* out = columns_.stats(columns_.kinds()[change.from]);
      const std::int32_t* in = columns_.stats(columns_.kinds()[change.to]);
      for (std::size_t k = 0; k < moving_.size(); ++k) moving_[k] += in[k] - out[k];
      piece.loss = loss(moving_);
    }
    visit(feature, piece, lowest);
  }
}

void SlackSearch::visit(int feature, const Piece& piece, Point& lowest) const {
  const double weight = weights()[feature];
  const auto sentences = static_cast<double>(columns_.sentences());
  // The lowest point is a vertex, with the slack or without it, or where the slack becomes 0.
  const double vertex = -weight - piece.slope / (sentences * problem_.l2);
  const double zero =
      piece.slope == 0.0 ? vertex : -(piece.intercept + sentences * piece.loss) / piece.slope;
  const bool closed_left = std::isfinite(piece.from), closed_right = std::isfinite(piece.to);
  const double low =
      closed_left ? piece.from + kInside * std::max(1.0, std::abs(piece.from)) : -kOpen;
  const double high = closed_right ? piece.to - kInside * std::max(1.0, std::abs(piece.to)) : kOpen;
  if (low > high) return;
  const auto consider = [&](double at) {
    const double objective = objective_of(squared_ + at * (2.0 * weight + at),
                                          piece.intercept + at * piece.slope, piece.loss);
    if (objective < lowest.objective) lowest = {at, objective};
  };
  if (problem_.right_ends && (closed_left || closed_right))
    consider(closed_right ? high : low);
  else
    for (const double at : {vertex, -weight, zero}) consider(std::clamp(at, low, high));
}

std::vector<SlackClimb> slack_climb(const SlackProblem& problem, std::span<const double> starts,
                                    int rounds, std::uint64_t seed, int threads) {
  // A step must lower the objective by this part of it: parabolas could be followed for ever.
  constexpr double kLeast = 1e-7;
  const int features = problem.columns->features();
  std::vector<SlackClimb> climbs(features ? starts.size() / features : 0);
  std::vector<std::unique_ptr<SlackSearch>> searches(engine::resolve_threads(threads));
  engine::parallel_for_worker(climbs.size(), threads, [&](std::size_t i, int worker) {
    if (!searches[worker]) searches[worker] = std::make_unique<SlackSearch>(problem);
    SlackSearch& search = *searches[worker];
    SlackClimb& climb = climbs[i];
    Random random(seed, i);
    search.start(starts.data() + i * features);
    std::vector<int> order(features);
    for (int f = 0; f < features; ++f) order[f] = f;
    int idle = 0;
    for (int round = 0; round < rounds && idle < features; ++round) {
      random.shuffle(order);
      for (int k = 0; k < features && idle < features; ++k) {
        const SlackSearch::Point lowest = search.lowest_along(order[k]);
        ++climb.searches;
        const double least = kLeast * std::max(1.0, std::abs(search.objective()));
        if (lowest.objective < search.objective() - least) {
          search.move(order[k], lowest.step);
          idle = 0;
        } else {
          ++idle;
        }
      }
    }
    climb.weights = search.weights();
    search.start(climb.weights.data());
    climb.objective = search.objective();
  });
  return climbs;
}

}  // namespace tunesmith::tune
