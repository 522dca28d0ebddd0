#include "tune/lbfgs.hh"

#include <algorithm>
#include <cmath>
#include <deque>

namespace tunesmith::tune {

namespace {

using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) {
  double total = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
  return total;
}

void add(Vector& target, double factor, const Vector& other) {
  for (std::size_t i = 0; i < target.size(); ++i) target[i] += factor * other[i];
}

double largest(const Vector& values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

// One remembered change: of the point, of the gradient, and 1 / (their product).
struct Curvature {
  Vector point, gradient;
  double rho;
};

// −H · gradient by the two-loop recursion (algorithm 7.4).
Vector direction_of(const Vector& gradient, const std::deque<Curvature>& memory) {
  Vector direction = gradient;
  Vector alphas(memory.size());
  for (std::size_t i = memory.size(); i-- > 0;) {
    alphas[i] = memory[i].rho * dot(memory[i].point, direction);
    add(direction, -alphas[i], memory[i].gradient);
  }
  if (!memory.empty()) {
    const Curvature& last = memory.back();
    const double scale = 1.0 / (last.rho * dot(last.gradient, last.gradient));
    for (double& value : direction) value *= scale;
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const double beta = memory[i].rho * dot(memory[i].gradient, direction);
    add(direction, alphas[i] - beta, memory[i].point);
  }
  for (double& value : direction) value = -value;
  return direction;
}

// The point that a line search tries.
struct Trial {
  double value = 0.0;
  double slope = 0.0;
  Vector point, gradient;
};

// A step along `direction` that meets the (weak) Wolfe conditions, by bisection and doubling; false
// if the value cannot be lowered any more in floating point.
bool search(const SmoothFunction& function, const Vector& x, double value, double slope,
            const Vector& direction, double step, int trials, Trial& trial) {
  constexpr double kDecrease = 1e-4, kCurvature = 0.9, kRounding = 1e-14;
  auto evaluate = [&](double length) {
    trial.point = x;
    add(trial.point, length, direction);
    trial.value = function(trial.point, trial.gradient);
    trial.slope = dot(trial.gradient, direction);
  };
  double low = 0.0, high = INFINITY;
  for (int i = 0; i < trials; ++i) {
    evaluate(step);
    // Close to the optimum values differ by rounding only; there the slopes decide (the approximate
    // Wolfe conditions of Hager & Zhang 2005). A value that is not a number counts as too far.
    const bool lower = trial.value <= value + kDecrease * step * slope;
    const bool flat = trial.value <= value + kRounding * std::abs(value) &&
                      trial.slope <= (2.0 * kDecrease - 1.0) * slope;
    if (!lower && !flat)
      high = step;
    else if (trial.slope < kCurvature * slope)
      low = step;
    else
      return true;
    step = std::isinf(high) ? 2.0 * step : 0.5 * (low + high);
  }
  if (low == 0.0) return false;
  evaluate(low);
  return true;
}

}  // namespace

LbfgsResult minimise(const SmoothFunction& function, std::vector<double>& x,
                     const LbfgsOptions& options) {
  Vector gradient(x.size());
  double value = function(x, gradient);
  const double goal = options.tolerance * std::max(1.0, largest(gradient));
  std::deque<Curvature> memory;
  Trial trial;
  trial.gradient.resize(x.size());

  int iteration = 0;
  for (; iteration < options.iterations && largest(gradient) > goal; ++iteration) {
    Vector direction = direction_of(gradient, memory);
    double slope = dot(gradient, direction);
    if (!(slope < 0.0)) {  // rounding has spoilt the memory: begin again with steepest descent
      memory.clear();
      direction = direction_of(gradient, memory);
      slope = dot(gradient, direction);
    }
    const double step = memory.empty() ? 1.0 / std::sqrt(-slope) : 1.0;
    if (!search(function, x, value, slope, direction, step, options.trials, trial)) {
      if (memory.empty()) break;
      memory.clear();
      continue;
    }
    Curvature change{trial.point, trial.gradient, 0.0};
    add(change.point, -1.0, x);
    add(change.gradient, -1.0, gradient);
    const double product = dot(change.point, change.gradient);
    if (product > 0.0) {
      change.rho = 1.0 / product;
      memory.push_back(std::move(change));
      if (static_cast<int>(memory.size()) > options.memory) memory.pop_front();
    }
    x.swap(trial.point);
    gradient.swap(trial.gradient);
    value = trial.value;
  }
  return {value, iteration, largest(gradient) <= goal};
}

}  // namespace tunesmith::tune
