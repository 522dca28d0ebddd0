// What trainers do with one example. The number of classes is a constant to the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "base/random.hh"
#include "reorder/examples.hh"

namespace tunesmith::reorder {

// w_k · φ for every class k.
template <int K>
std::array<double, K> dot(std::span<const std::uint32_t> row, const double* weights) {
  std::array<double, K> sums{};
  for (const std::uint32_t feature : row)
    for (int k = 0; k < K; ++k) sums[k] += weights[static_cast<std::size_t>(feature) * K + k];
  return sums;
}

// w_k += change_k · φ
template <int K>
void add(std::span<const std::uint32_t> row, const std::array<double, K>& change, double* weights) {
  for (const std::uint32_t feature : row)
    for (int k = 0; k < K; ++k) weights[static_cast<std::size_t>(feature) * K + k] += change[k];
}

// log Σ exp(score); `shares` are what each class has of the sum.
template <int K>
double log_sum(const std::array<double, K>& scores, std::array<double, K>& shares) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  double sum = 0.0;
  for (int k = 0; k < K; ++k) sum += shares[k] = std::exp(scores[k] - highest);
  for (double& share : shares) share /= sum;
  return highest + std::log(sum);
}

template <int K>
double log_sum(const std::array<double, K>& scores) {
  std::array<double, K> shares;
  return log_sum<K>(scores, shares);
}

// exp(score) / Σ exp(score)
template <int K>
std::array<double, K> probabilities(const std::array<double, K>& scores) {
  const double highest = *std::max_element(scores.begin(), scores.end());
  std::array<double, K> shares;
  double sum = 0.0;
  for (int k = 0; k < K; ++k) sum += shares[k] = std::exp(scores[k] - highest);
  for (double& share : shares) share /= sum;
  return shares;
}

// Asks memory for what a visit to an example will read, in three steps: each reads what the one
// before it has asked for.
template <int K>
class Prefetch {
 public:
  // Weights, and what else is kept by feature and class; `log_alpha` by example and class, or null.
  Prefetch(const Examples& examples, const float* log_alpha,
           std::initializer_list<const double*> weights)
      : examples_(examples), log_alpha_(log_alpha) {
    for (const double* one : weights)
      if (one != nullptr) weights_[count_++] = one;
  }

  void example(std::uint32_t i) const {
    __builtin_prefetch(&examples_.offsets[i]);
    __builtin_prefetch(&examples_.classes[i]);
    if (log_alpha_ != nullptr) __builtin_prefetch(&log_alpha_[static_cast<std::size_t>(i) * K], 1);
  }
  void row(std::uint32_t i) const {
    __builtin_prefetch(&examples_.features[0] + examples_.offsets[i]);
    __builtin_prefetch(&examples_.features[0] + examples_.offsets[i + 1]);
  }
  void weights(std::uint32_t i) const {
    for (const std::uint32_t feature : examples_.row(i))
      for (int w = 0; w < count_; ++w)
        __builtin_prefetch(&weights_[w][static_cast<std::size_t>(feature) * K], 1);
  }

 private:
  const Examples& examples_;
  const float* log_alpha_;
  std::array<const double*, 2> weights_{};
  int count_ = 0;
};

// visit(example) for example_at(0), …, example_at(size − 1) in random order. Neighbours come from
// one sentence and are much alike, so they should not follow each other; but there may be more
// examples than memory, and these come from disk: runs of neighbours are taken in random order,
// and as many as memory has room for are shuffled together.
template <int K, typename ExampleAt, typename Visit>
void in_random_order(std::size_t size, const ExampleAt& example_at, Random random,
                     const Prefetch<K>& prefetch, const Visit& visit) {
  constexpr std::size_t kRun = 64, kRuns = std::size_t{1} << 16;
  constexpr std::size_t kFar = 24, kNear = 12, kNext = 4;
  std::vector<std::size_t> runs;
  for (std::size_t at = 0; at < size; at += kRun) runs.push_back(at);
  random.shuffle(runs);
  std::vector<std::uint32_t> pool;
  for (std::size_t first = 0; first < runs.size(); first += kRuns) {
    pool.clear();
    for (std::size_t r = first; r < std::min(runs.size(), first + kRuns); ++r)
      for (std::size_t at = runs[r]; at < std::min(size, runs[r] + kRun); ++at)
        pool.push_back(example_at(at));
    random.shuffle(pool);
    for (std::size_t i = 0; i < pool.size(); ++i) {
      if (i + kFar < pool.size()) {
        prefetch.example(pool[i + kFar]);
        prefetch.row(pool[i + kNear]);
        prefetch.weights(pool[i + kNext]);
      }
      visit(pool[i]);
    }
  }
}

// work(std::integral_constant<int, K>()) for K = `classes`.
template <typename Work>
auto with_classes(int classes, const Work& work) {
  switch (classes) {
    case 2:
      return work(std::integral_constant<int, 2>());
    case 3:
      return work(std::integral_constant<int, 3>());
    case 4:
      return work(std::integral_constant<int, 4>());
    default:
      throw OptionError(std::to_string(classes) + " classes, expected " +
                        std::to_string(kMinClasses) + " to " + std::to_string(kMaxClasses));
  }
}

}  // namespace tunesmith::reorder
