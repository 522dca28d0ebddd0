// Limited-memory BFGS (Nocedal & Wright 2006, algorithm 7.5) for smooth functions of many
// variables.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace tunesmith::tune {

struct LbfgsOptions {
  int memory = 10;
  int iterations = 1000;
  int trials = 60;          // places that are tried along a line; a kink needs all of them
  double tolerance = 1e-7;  // stop when ‖gradient‖∞ ≤ tolerance · max(1, ‖gradient at the start‖∞)
};

struct LbfgsResult {
  double value;
  int iterations;
  bool converged;
};

// f(x), with the gradient written to its second argument.
using SmoothFunction = std::function<double(std::span<const double>, std::span<double>)>;

// Minimises `function` from `x` on, in place. Every iteration lowers the value up to rounding
// (Armijo's condition, with Wolfe's curvature condition wherever the line search can meet it). Sums
// run in a fixed order.
LbfgsResult minimise(const SmoothFunction& function, std::vector<double>& x,
                     const LbfgsOptions& options);

}  // namespace tunesmith::tune
