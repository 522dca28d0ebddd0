#include "features/weight_table.hh"

#include <algorithm>
#include <cmath>

#include "base/hash.hh"
#include "engine/parallel.hh"

namespace tunesmith::features {
namespace {

constexpr std::size_t kFirstPlaces = 64, kTail = 16;
constexpr double kFull = 0.85, kGrowth = 1.5;

std::size_t enlarged(std::size_t places) {
  return std::max(kFirstPlaces, static_cast<std::size_t>(kGrowth * static_cast<double>(places)));
}

// Places for so many entries, and some more.
std::size_t roomy(std::size_t entries) {
  return std::max(kFirstPlaces, static_cast<std::size_t>(static_cast<double>(entries) / kFull) + 1);
}

}  // namespace

WeightTable::WeightTable(int bits) : bits_(bits), shards_(kShards) {
  if (bits < 0 || bits > 40)
    throw OptionError("2^" + std::to_string(bits) + " features, expected 2^1 to 2^40, or 0 bits");
}

std::uint64_t WeightTable::fold(std::uint64_t key) const {
  if (bits_ > 0) key = mix64((key >> (64 - bits_)) + 1);
  return key == 0 ? 1 : key;
}

std::uint64_t WeightTable::size() const {
  std::uint64_t total = 0;
  for (const Shard& shard : shards_) total += shard.size;
  return total;
}

std::uint64_t WeightTable::memory() const {
  std::uint64_t total = 0;
  for (const Shard& shard : shards_)
    total += shard.keys.size() * sizeof(std::uint64_t) + shard.weights.size() * sizeof(float) +
             shard.lagged.size() * sizeof(float) + shard.updates.size();
  return total;
}

float WeightTable::value_at(const Place& place) const {
  const Shard& shard = *place.shard;
  if (shard.keys.empty()) return 0.0F;
  const std::size_t at = shard.find(place.at, place.key);
  if (shard.keys[at] != place.key) return 0.0F;
  if (min_count_ > 1 && !shard.updates.empty() && shard.updates[at] < min_count_) return 0.0F;
  return shard.weights[at];
}

double WeightTable::sum(std::span<const std::uint64_t> keys) const {
  constexpr std::size_t kBlock = 64;
  Place places[kBlock];
  double total = 0.0;
  for (std::size_t begin = 0; begin < keys.size(); begin += kBlock) {
    const std::size_t size = std::min(kBlock, keys.size() - begin);
    for (std::size_t i = 0; i < size; ++i) {
      places[i] = locate(fold(keys[begin + i]));
      if (!places[i].shard->keys.empty()) {
        __builtin_prefetch(places[i].shard->keys.data() + places[i].at);
        __builtin_prefetch(places[i].shard->weights.data() + places[i].at);
      }
    }
    for (std::size_t i = 0; i < size; ++i) total += value_at(places[i]);
  }
  return total;
}

void WeightTable::Shard::resize(std::size_t places, bool with_history) {
  keys.resize(places, 0);
  weights.resize(places, 0.0F);
  if (!with_history) return;
  lagged.resize(places, 0.0F);
  updates.resize(places, 0);
}

WeightTable::Shard WeightTable::spread(const Shard& from, std::size_t homes) {
  const bool with_history = !from.lagged.empty();
  Shard to;
  to.homes = homes;
  to.size = from.size;
  to.resize(homes + kTail, with_history);
  std::size_t next = 0;  // the first place behind the last entry
  for (std::size_t i = 0; i < from.keys.size(); ++i) {
    if (from.keys[i] == 0) continue;
    const std::size_t at = std::max(next, home(from.keys[i], homes));
    if (at + 1 == to.keys.size()) to.resize(to.keys.size() + kTail, with_history);
    to.keys[at] = from.keys[i];
    to.weights[at] = from.weights[i];
    if (with_history) {
      to.lagged[at] = from.lagged[i];
      to.updates[at] = from.updates[i];
    }
    next = at + 1;
  }
  return to;
}

std::size_t WeightTable::find_or_add(Shard& shard, std::uint64_t key) {
  if (static_cast<double>(shard.size + 1) > kFull * static_cast<double>(shard.homes))
    shard = spread(shard, enlarged(shard.homes));
  const std::size_t at = shard.find(home(key, shard.homes), key);
  if (shard.keys[at] == key) return at;
  std::size_t free = at;
  while (shard.keys[free] != 0) ++free;
  if (free + 1 == shard.keys.size()) shard.resize(shard.keys.size() + kTail, true);
  const auto make_room = [&](auto& values) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = values.begin() + static_cast<std::ptrdiff_t>(free);
    std::move_backward(begin, end, end + 1);
    *begin = {};
  };
  make_room(shard.keys);
  make_room(shard.weights);
  make_room(shard.lagged);
  make_room(shard.updates);
  shard.keys[at] = key;
  ++shard.size;
  return at;
}

void WeightTable::add(std::span<const KeyChange> changes, double step, int threads) {
  // By shard, in their order: what a shard sees does not depend on the threads.
  std::vector<std::uint32_t> begin(kShards + 1, 0);
  std::vector<KeyChange> sorted(changes.size());
  std::vector<std::uint64_t> folded(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    folded[i] = fold(changes[i].key);
    ++begin[(folded[i] >> (64 - kShardBits)) + 1];
  }
  for (int s = 0; s < kShards; ++s) begin[s + 1] += begin[s];
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::size_t i = 0; i < changes.size(); ++i)
    sorted[next[folded[i] >> (64 - kShardBits)]++] = {folded[i], changes[i].change};
  engine::parallel_for(
      kShards, changes.size() < 20'000 ? 1 : threads,
      [&](std::size_t s) {
        Shard& shard = shards_[s];
        if (shard.keys.empty()) shard.resize(kTail, true);
        if (shard.lagged.size() != shard.keys.size()) {
          // From a file that holds weights alone: they have been there from the first step on.
          shard.lagged.assign(shard.keys.size(), 0.0F);
          shard.updates.assign(shard.keys.size(), 255);
        }
        for (std::uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
          const std::size_t at = find_or_add(shard, sorted[i].key);
          shard.weights[at] += sorted[i].change;
          shard.lagged[at] += static_cast<float>(step * sorted[i].change);
          if (shard.updates[at] < 255) ++shard.updates[at];
        }
      },
      16);
}

WeightTable WeightTable::averaged(double steps) const {
  WeightTable out(bits_);
  for (int s = 0; s < kShards; ++s) {
    const Shard& from = shards_[s];
    Shard kept;
    for (std::size_t i = 0; i < from.keys.size(); ++i) {
      if (from.keys[i] == 0) continue;
      if (!from.updates.empty() && from.updates[i] < min_count_) continue;
      float weight = from.weights[i];
      if (steps > 0 && !from.lagged.empty()) weight -= static_cast<float>(from.lagged[i] / steps);
      if (weight == 0.0F) continue;
      kept.keys.push_back(from.keys[i]);
      kept.weights.push_back(weight);
    }
    kept.size = kept.keys.size();
    if (kept.size > 0) out.shards_[s] = spread(kept, roomy(kept.size));
  }
  return out;
}

std::vector<KeyChange> WeightTable::entries() const {
  std::vector<KeyChange> out;
  for (const Shard& shard : shards_)
    for (std::size_t i = 0; i < shard.keys.size(); ++i)
      if (shard.keys[i] != 0) out.push_back({shard.keys[i], shard.weights[i]});
  return out;
}

void WeightTable::save(ArrayFileWriter& file, bool all) const {
  std::vector<std::uint64_t> sizes;
  for (const Shard& shard : shards_) sizes.push_back(shard.size);
  const std::vector<std::uint32_t> numbers{static_cast<std::uint32_t>(bits_),
                                           static_cast<std::uint32_t>(min_count_)};
  file.add("weight_numbers", numbers);
  file.add("weight_sizes", sizes);
  // Shard by shard, without the free places.
  const auto add = [&]<typename Value>(std::string_view name, std::vector<Value> Shard::* values,
                                       Value missing) {
    file.begin(name, type_code<Value>(), sizeof(Value));
    std::vector<Value> taken;
    for (const Shard& shard : shards_) {
      taken.clear();
      for (std::size_t i = 0; i < shard.keys.size(); ++i)
        if (shard.keys[i] != 0)
          taken.push_back((shard.*values).empty() ? missing : (shard.*values)[i]);
      file.append(taken.data(), taken.size() * sizeof(Value));
    }
    file.end();
  };
  add("weight_keys", &Shard::keys, std::uint64_t{0});
  add("weight_values", &Shard::weights, 0.0F);
  if (!all) return;
  // Weights that nobody has learned further are as add() takes them.
  add("weight_lagged", &Shard::lagged, 0.0F);
  add("weight_updates", &Shard::updates, std::uint8_t{255});
}

void WeightTable::load(const ArrayFile& file) {
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(file.path(), 0, "arrays of the weights do not fit together",
                       "a whole table of weights", "make it again");
  };
  const auto numbers = file.array<std::uint32_t>("weight_numbers");
  const auto sizes = file.array<std::uint64_t>("weight_sizes");
  const auto keys = file.array<std::uint64_t>("weight_keys");
  const auto weights = file.array<float>("weight_values");
  const bool all = file.has("weight_lagged");
  whole(numbers.size() == 2 && numbers[0] <= 40 && numbers[1] <= 255);
  whole(sizes.size() == kShards && weights.size() == keys.size());
  std::uint64_t total = 0;
  for (const std::uint64_t size : sizes) {
    whole(size <= keys.size() - total);
    total += size;
  }
  whole(total == keys.size());
  std::span<const float> lagged;
  std::span<const std::uint8_t> updates;
  if (all) {
    lagged = file.array<float>("weight_lagged");
    updates = file.array<std::uint8_t>("weight_updates");
    whole(lagged.size() == keys.size() && updates.size() == keys.size());
  }
  bits_ = static_cast<int>(numbers[0]);
  min_count_ = static_cast<int>(numbers[1]);
  shards_.assign(kShards, {});
  std::uint64_t begin = 0, before = 0;
  for (int s = 0; s < kShards; ++s) {
    Shard read;
    read.size = sizes[s];
    const auto copy = [&](auto from, auto& to) {
      const auto part = from.subspan(begin, read.size);
      to.assign(part.begin(), part.end());
    };
    copy(keys, read.keys);
    copy(weights, read.weights);
    if (all) {
      copy(lagged, read.lagged);
      copy(updates, read.updates);
    }
    for (std::size_t i = 0; i < read.size; ++i) {
      whole(before < read.keys[i] && static_cast<int>(read.keys[i] >> (64 - kShardBits)) == s &&
            std::isfinite(read.weights[i]));
      before = read.keys[i];
    }
    if (read.size > 0) shards_[s] = spread(read, roomy(read.size));
    begin += read.size;
  }
}

}  // namespace tunesmith::features
