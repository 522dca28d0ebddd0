#include "tune/stat_groups.hh"

#include <algorithm>
#include <bit>

#include "base/hash.hh"
#include "engine/parallel.hh"

namespace tunesmith::tune {

namespace {

constexpr std::uint32_t kEmpty = 0xffffffff;

// Numbers the distinct rows of one sentence in the order of their first appearance.
class RowNumbering {
 public:
  std::uint32_t run(const PoolView& pool, std::int64_t begin, std::int64_t end,
                    std::uint32_t* numbers) {
    const std::size_t bytes = sizeof(std::int32_t) * pool.stats_size;
    const std::size_t mask = std::bit_ceil(static_cast<std::size_t>(2 * (end - begin))) - 1;
    slots_.assign(mask + 1, kEmpty);
    firsts_.clear();
    for (std::int64_t row = begin; row < end; ++row) {
      const std::int32_t* values = pool.stats_row(row);
      std::size_t slot = hash_bytes(values, bytes) & mask;
      while (slots_[slot] != kEmpty &&
             !std::equal(values, values + pool.stats_size, pool.stats_row(firsts_[slots_[slot]])))
        slot = (slot + 1) & mask;
      if (slots_[slot] == kEmpty) {
        slots_[slot] = static_cast<std::uint32_t>(firsts_.size());
        firsts_.push_back(row);
      }
      numbers[row - begin] = slots_[slot];
    }
    return static_cast<std::uint32_t>(firsts_.size());
  }

 private:
  std::vector<std::uint32_t> slots_;
  std::vector<std::int64_t> firsts_;
};

}  // namespace

StatGroups::StatGroups(const PoolView& pool, int threads)
    : stats_size(pool.stats_size), offsets(pool.sentences() + 1), group_of_row(pool.rows()) {
  constexpr std::size_t kGrain = 64;
  std::vector<RowNumbering> numberings(engine::resolve_threads(threads));
  engine::parallel_for_worker(
      pool.sentences(), threads,
      [&](std::size_t s, int worker) {
        offsets[s + 1] = numberings[worker].run(pool, pool.offsets[s], pool.offsets[s + 1],
                                                group_of_row.data() + pool.offsets[s]);
      },
      kGrain);
  for (std::size_t s = 1; s < offsets.size(); ++s) offsets[s] += offsets[s - 1];

  stats.resize(offsets.back() * stats_size);
  engine::parallel_for(
      pool.sentences(), threads,
      [&](std::size_t s) {
        std::int64_t next = 0;
        for (std::int64_t row = pool.offsets[s]; row < pool.offsets[s + 1]; ++row) {
          if (group_of_row[row] != next) continue;
          std::copy_n(pool.stats_row(row), stats_size,
                      stats.data() + (offsets[s] + next) * stats_size);
          ++next;
        }
      },
      kGrain);
}

}  // namespace tunesmith::tune
