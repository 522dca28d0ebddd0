#include "reorder/examples.hh"

#include <algorithm>
#include <limits>
#include <vector>

#include "engine/parallel.hh"
#include "reorder/kernels.hh"

namespace tunesmith::reorder {

void check_examples(const Examples& examples) {
  with_classes(examples.class_count, [](auto) {});
  const std::size_t size = examples.size();
  if (size == 0) throw OptionError("no examples, expected some");
  if (size >= std::numeric_limits<std::uint32_t>::max())
    throw OptionError(std::to_string(size) + " examples, expected fewer than 2^32 - 1");
  if (examples.offsets.size() != size + 1 || examples.offsets.front() != 0 ||
      examples.offsets.back() != examples.features.size() ||
      !std::is_sorted(examples.offsets.begin(), examples.offsets.end()))
    throw OptionError("offsets of examples that do not fit their features");
  for (const std::uint32_t feature : examples.features)
    if (feature >= examples.feature_count)
      throw OptionError("feature " + std::to_string(feature) + ", expected one below " +
                        std::to_string(examples.feature_count));
  for (const std::uint8_t found : examples.classes)
    if (found >= examples.class_count)
      throw OptionError("class " + std::to_string(found) + ", expected one below " +
                        std::to_string(examples.class_count));
}

Fit measure(const Examples& examples, std::span<const double> weights, int threads) {
  // Sums of blocks, added in their order, so that threads do not change them.
  constexpr std::size_t kBlock = 4096;
  std::vector<Fit> blocks((examples.size() + kBlock - 1) / kBlock);
  with_classes(examples.class_count, [&](auto constant) {
    constexpr int K = constant();
    engine::parallel_for(blocks.size(), engine::resolve_threads(threads), [&](std::size_t b) {
      const std::size_t end = std::min(examples.size(), (b + 1) * kBlock);
      for (std::size_t i = b * kBlock; i < end; ++i) {
        const auto scores = dot<K>(examples.row(i), weights.data());
        const int right = examples.classes[i];
        blocks[b].loss += log_sum<K>(scores) - scores[right];
        bool beaten = false;
        for (int k = 0; k < K; ++k) beaten |= k != right && scores[k] >= scores[right];
        blocks[b].errors += beaten;
      }
    });
  });
  Fit total;
  for (const Fit& block : blocks) {
    total.loss += block.loss;
    total.errors += block.errors;
  }
  return total;
}

double squared_norm(std::span<const double> weights) {
  double sum = 0.0;
  for (const double weight : weights) sum += weight * weight;
  return sum;
}

double primal_objective(const Fit& fit, std::span<const double> weights, double variance) {
  return squared_norm(weights) / (2.0 * variance) + fit.loss;
}

}  // namespace tunesmith::reorder
