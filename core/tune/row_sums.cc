#include "tune/row_sums.hh"

#include <algorithm>

#include "engine/parallel.hh"

namespace tunesmith::tune {

namespace {

// Every block has a vector of all features of its own; together they may take this many numbers.
constexpr std::int64_t kMostNumbers = std::int64_t{1} << 25;
constexpr std::int64_t kMostBlocks = 16;

}  // namespace

RowSums::RowSums(const PoolView& pool, int threads)
    : pool_(pool),
      threads_(threads),
      sums_(std::clamp<std::int64_t>(kMostNumbers / std::max<std::int64_t>(pool.features(), 1), 1,
                                     kMostBlocks)) {}

void RowSums::add(std::span<const std::int64_t> rows, std::span<const double> coefficients,
                  std::span<double> target) {
  const std::size_t blocks = sums_.size();
  engine::parallel_for(blocks, threads_, [&](std::size_t block) {
    sums_[block].assign(target.size(), 0.0);
    const std::size_t end = rows.size() * (block + 1) / blocks;
    for (std::size_t i = rows.size() * block / blocks; i < end; ++i)
      if (coefficients[i] != 0.0) pool_.add_to(sums_[block].data(), rows[i], coefficients[i]);
  });
  engine::parallel_for(
      target.size(), threads_,
      [&](std::size_t feature) {
        for (const auto& sum : sums_) target[feature] += sum[feature];
      },
      std::size_t{1} << 14);
}

}  // namespace tunesmith::tune
