#include "reorder/primal_trainer.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/error.hh"
#include "reorder/kernels.hh"

namespace tunesmith::reorder {

PrimalState PrimalTrainer::fresh() const {
  PrimalState state;
  state.raw.resize(examples_.weights());
  if (options_.averaged) state.lagging.resize(examples_.weights());
  state.rate = options_.rate;
  return state;
}

PrimalTrainer::PrimalTrainer(const Examples& examples, const PrimalOptions& options)
    : examples_(examples), options_(options), state_(fresh()) {
  if (options_.rate == 0.0) try_rates();
}

PrimalTrainer::PrimalTrainer(const Examples& examples, const PrimalOptions& options,
                             PrimalState state)
    : examples_(examples), options_(options), state_(std::move(state)) {
  const auto finite = [](double value) { return std::isfinite(value); };
  if (state_.raw.size() != examples_.weights() ||
      state_.lagging.size() != (options_.averaged ? examples_.weights() : 0) ||
      !std::all_of(state_.raw.begin(), state_.raw.end(), finite) ||
      !std::all_of(state_.lagging.begin(), state_.lagging.end(), finite) || !finite(state_.rate) ||
      state_.rate <= 0.0 || !finite(state_.scale) || state_.scale <= 0.0 ||
      !finite(state_.sum_of_scales) || !finite(state_.averaged_steps))
    throw OptionError("a state of training that does not fit the examples");
}

void PrimalTrainer::rescale() {
  for (double& value : state_.raw) value *= state_.scale;
  state_.sum_of_scales /= state_.scale;
  state_.scale = 1.0;
}

template <int K>
void PrimalTrainer::step(std::uint32_t i, std::uint64_t number) {
  const double decay = 1.0 / (options_.variance * static_cast<double>(examples_.size()));
  const bool averages = options_.averaged && state_.passes > 0;
  constexpr double kSmallScale = 1e-6;
  const auto row = examples_.row(i);
  auto scores = dot<K>(row, state_.raw.data());
  for (double& score : scores) score *= state_.scale;
  const double rate = state_.rate / (1.0 + state_.rate * decay * static_cast<double>(number));
  // A rate above 1/λ would turn the weights round.
  state_.scale *= std::max(kSmallScale, 1.0 - rate * decay);
  if (state_.scale < kSmallScale) rescale();
  const auto p = probabilities<K>(scores);
  std::array<double, K> change, lag;
  for (int k = 0; k < K; ++k) {
    change[k] = rate * ((examples_.classes[i] == k ? 1.0 : 0.0) - p[k]) / state_.scale;
    lag[k] = -state_.sum_of_scales * change[k];
  }
  add<K>(row, change, state_.raw.data());
  if (!averages) return;
  add<K>(row, lag, state_.lagging.data());
  state_.sum_of_scales += state_.scale;
  state_.averaged_steps += 1.0;
}

void PrimalTrainer::try_rates() {
  constexpr std::size_t kSample = 10000;
  std::vector<std::uint32_t> sample(std::min(kSample, examples_.size()));
  Random random(options_.seed);
  for (std::uint32_t& i : sample) i = static_cast<std::uint32_t>(random.below(examples_.size()));
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> features;
  std::vector<std::uint8_t> classes;
  for (const std::uint32_t i : sample) {
    const auto row = examples_.row(i);
    features.insert(features.end(), row.begin(), row.end());
    offsets.push_back(features.size());
    classes.push_back(examples_.classes[i]);
  }
  const Examples chosen{offsets, features, classes, examples_.feature_count, examples_.class_count};
  // Powers of two from 1 down, and from 2 up, until they get no better.
  const auto cost = [&](double rate) {
    state_ = fresh();
    state_.rate = rate;
    with_classes(examples_.class_count, [&](auto constant) {
      for (std::size_t n = 0; n < sample.size(); ++n) step<constant()>(sample[n], n);
    });
    const auto found = weights();
    const Fit fit = measure(chosen, found, 1);
    // Of the whole objective, the share of so many examples.
    const double share = static_cast<double>(sample.size()) / static_cast<double>(examples_.size());
    return primal_objective({fit.loss / share, 0}, found, options_.variance);
  };
  double best_rate = 1.0, best = cost(1.0);
  for (const double factor : {0.5, 2.0}) {
    if (best_rate != 1.0) break;  // smaller ones were better
    for (double rate = factor; rate > 1e-6 && rate < 1e6; rate *= factor) {
      const double found = cost(rate);
      if (!(found < best)) break;
      best = found;
      best_rate = rate;
    }
  }
  state_ = fresh();
  state_.rate = best_rate;
}

void PrimalTrainer::pass() {
  std::uint64_t number = state_.passes * examples_.size();
  with_classes(examples_.class_count, [&](auto constant) {
    constexpr int K = constant();
    const Prefetch<K> prefetch(
        examples_, nullptr,
        {state_.raw.data(), state_.lagging.empty() ? nullptr : state_.lagging.data()});
    in_random_order(
        examples_.size(), [](std::size_t i) { return static_cast<std::uint32_t>(i); },
        Random(options_.seed, state_.passes), prefetch,
        [&](std::uint32_t example) { step<K>(example, number++); });
  });
  ++state_.passes;
}

std::vector<double> PrimalTrainer::weights() const {
  std::vector<double> out(state_.raw.size());
  const bool averages = state_.averaged_steps > 0.0;
  for (std::size_t j = 0; j < out.size(); ++j)
    out[j] = averages ? (state_.sum_of_scales * state_.raw[j] + state_.lagging[j]) /
                            state_.averaged_steps
                      : state_.scale * state_.raw[j];
  return out;
}

}  // namespace tunesmith::reorder
