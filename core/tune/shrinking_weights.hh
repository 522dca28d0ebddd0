// Weights as factor × vector: shrinking all of them costs nothing, however many there are.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/pool.hh"

namespace tunesmith::tune {

// Wraps a vector for a while; it holds the weights themselves again afterwards.
class ShrinkingWeights {
 public:
  explicit ShrinkingWeights(std::vector<double>& weights) : weights_(weights) {}
  ~ShrinkingWeights() { fold(); }
  ShrinkingWeights(const ShrinkingWeights&) = delete;
  ShrinkingWeights& operator=(const ShrinkingWeights&) = delete;

  // The weights are factor() times these.
  const double* data() const { return weights_.data(); }
  double factor() const { return factor_; }

  void shrink(double by) {
    factor_ *= by;
    if (std::abs(factor_) < 1e-6) fold();
  }
  // weights += amount · h(row)
  void add(const PoolView& pool, std::int64_t row, double amount) {
    pool.add_to(weights_.data(), row, amount / factor_);
  }

 private:
  void fold() {
    for (double& weight : weights_) weight *= factor_;
    factor_ = 1.0;
  }
  std::vector<double>& weights_;
  double factor_ = 1.0;
};

// Whether batches of sentences of this pool are worth threads, which cost about as much to start
// as some 10^5 multiplications. It depends on the pool alone, and changes no result.
inline bool threads_pay(const PoolView& pool, int batch) {
  const auto rows = static_cast<double>(pool.rows());
  const double row_work = pool.dense_size + static_cast<double>(pool.sparse_ids.size()) / rows;
  return rows / static_cast<double>(pool.sentences()) * batch * row_work > 2e5;
}

}  // namespace tunesmith::tune
