#include "features/weight_table.hh"

#include <algorithm>
#include <cmath>

#include "base/hash.hh"
#include "engine/parallel.hh"

namespace tunesmith::features {
namespace {

constexpr std::size_t kFirstPlaces = 64;
constexpr double kFull = 0.85, kGrowth = 1.5;

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
  const std::size_t places = shard.keys.size();
  if (places == 0) return 0.0F;
  std::size_t at = place.at;
  while (shard.keys[at] != place.key) {
    if (shard.keys[at] == 0) return 0.0F;
    if (++at == places) at = 0;
  }
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

void WeightTable::grow(Shard& shard, bool with_history) {
  Shard larger;
  const auto places = std::max(
      kFirstPlaces, static_cast<std::size_t>(kGrowth * static_cast<double>(shard.keys.size())));
  larger.keys.assign(places, 0);
  larger.weights.assign(places, 0.0F);
  if (with_history) {
    larger.lagged.assign(places, 0.0F);
    larger.updates.assign(places, 0);
  }
  for (std::size_t i = 0; i < shard.keys.size(); ++i) {
    if (shard.keys[i] == 0) continue;
    std::size_t at = home(shard.keys[i], places);
    while (larger.keys[at] != 0)
      if (++at == places) at = 0;
    larger.keys[at] = shard.keys[i];
    larger.weights[at] = shard.weights[i];
    if (with_history) {
      larger.lagged[at] = shard.lagged[i];
      larger.updates[at] = shard.updates[i];
    }
  }
  larger.size = shard.size;
  shard = std::move(larger);
}

std::size_t WeightTable::find_or_add(Shard& shard, std::uint64_t key, bool with_history) {
  if (static_cast<double>(shard.size + 1) > kFull * static_cast<double>(shard.keys.size()))
    grow(shard, with_history);
  const std::size_t places = shard.keys.size();
  std::size_t at = home(key, places);
  while (shard.keys[at] != key) {
    if (shard.keys[at] == 0) {
      shard.keys[at] = key;
      ++shard.size;
      break;
    }
    if (++at == places) at = 0;
  }
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
        if (shard.lagged.size() != shard.keys.size()) {
          // From a file that holds weights alone: they have been there from the first step on.
          shard.lagged.assign(shard.keys.size(), 0.0F);
          shard.updates.assign(shard.keys.size(), 255);
        }
        for (std::uint32_t i = begin[s]; i < begin[s + 1]; ++i) {
          const std::size_t at = find_or_add(shard, sorted[i].key, true);
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
    Shard& to = out.shards_[s];
    for (std::size_t i = 0; i < from.keys.size(); ++i) {
      if (from.keys[i] == 0) continue;
      if (!from.updates.empty() && from.updates[i] < min_count_) continue;
      float weight = from.weights[i];
      if (steps > 0 && !from.lagged.empty()) weight -= static_cast<float>(from.lagged[i] / steps);
      if (weight == 0.0F) continue;
      to.weights[find_or_add(to, from.keys[i], false)] = weight;
    }
  }
  return out;
}

std::vector<KeyChange> WeightTable::entries() const {
  std::vector<KeyChange> out;
  for (const Shard& shard : shards_)
    for (std::size_t i = 0; i < shard.keys.size(); ++i)
      if (shard.keys[i] != 0) out.push_back({shard.keys[i], shard.weights[i]});
  std::sort(out.begin(), out.end(),
            [](const KeyChange& a, const KeyChange& b) { return a.key < b.key; });
  return out;
}

void WeightTable::save(ArrayFileWriter& file, bool all) const {
  std::vector<std::uint64_t> places;
  for (const Shard& shard : shards_) places.push_back(shard.keys.size());
  const std::vector<std::uint32_t> numbers{static_cast<std::uint32_t>(bits_),
                                           static_cast<std::uint32_t>(min_count_)};
  file.add("weight_numbers", numbers);
  file.add("weight_places", places);
  // Shard by shard: what is written is not copied before.
  const auto add = [&](std::string_view name, auto values_of) {
    using Value = std::remove_cvref_t<decltype(values_of(shards_[0])[0])>;
    file.begin(name, type_code<Value>(), sizeof(Value));
    for (const Shard& shard : shards_)
      file.append(values_of(shard).data(), values_of(shard).size() * sizeof(Value));
    file.end();
  };
  add("weight_keys", [](const Shard& shard) { return std::span(shard.keys); });
  add("weight_values", [](const Shard& shard) { return std::span(shard.weights); });
  if (!all) return;
  // Weights that nobody has learned further are as add() takes them.
  std::vector<float> lagged;
  std::vector<std::uint8_t> updates;
  add("weight_lagged", [&](const Shard& shard) -> std::span<const float> {
    if (shard.lagged.size() == shard.keys.size()) return shard.lagged;
    lagged.assign(shard.keys.size(), 0.0F);
    return lagged;
  });
  add("weight_updates", [&](const Shard& shard) -> std::span<const std::uint8_t> {
    if (shard.updates.size() == shard.keys.size()) return shard.updates;
    updates.assign(shard.keys.size(), 255);
    return updates;
  });
}

void WeightTable::load(const ArrayFile& file) {
  const auto whole = [&](bool holds) {
    if (!holds)
      throw InputError(file.path(), 0, "arrays of the weights do not fit together",
                       "a whole table of weights", "make it again");
  };
  const auto numbers = file.array<std::uint32_t>("weight_numbers");
  const auto places = file.array<std::uint64_t>("weight_places");
  const auto keys = file.array<std::uint64_t>("weight_keys");
  const auto weights = file.array<float>("weight_values");
  const bool all = file.has("weight_lagged");
  whole(numbers.size() == 2 && numbers[0] <= 40 && numbers[1] <= 255);
  whole(places.size() == kShards && weights.size() == keys.size());
  std::uint64_t total = 0;
  for (const std::uint64_t size : places) {
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
  std::uint64_t begin = 0;
  for (int s = 0; s < kShards; ++s) {
    Shard& shard = shards_[s];
    const std::uint64_t end = begin + places[s];
    const auto copy = [&](auto from, auto& to) {
      to.assign(from.begin() + static_cast<std::ptrdiff_t>(begin),
                from.begin() + static_cast<std::ptrdiff_t>(end));
    };
    copy(keys, shard.keys);
    copy(weights, shard.weights);
    if (all) {
      copy(lagged, shard.lagged);
      copy(updates, shard.updates);
    }
    bool free_place = shard.keys.empty();
    for (std::size_t i = 0; i < shard.keys.size(); ++i) {
      if (shard.keys[i] == 0) {
        free_place = true;
        continue;
      }
      ++shard.size;
      whole(static_cast<int>(shard.keys[i] >> (64 - kShardBits)) == s &&
            std::isfinite(shard.weights[i]));
    }
    whole(free_place);  // a look-up ends at the first one
    begin = end;
  }
}

}  // namespace tunesmith::features
