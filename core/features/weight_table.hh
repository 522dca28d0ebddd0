// Weights of millions of features that are known by 64-bit keys only.
//
// The table is cut into shards by the first bits of the key, so that it grows without ever being
// there twice, and so that threads can change it side by side: shard s is changed by one thread
// only. A shard is an array that is sorted by key, with free places in it: an entry stands where
// its key belongs, or behind that as far as the keys before it take the room (ordered linear
// probing, Amble & Knuth 1974). So a look-up ends at the first key that is not smaller, in vain or
// not, and a shard may be 85 % full. An entry takes 17 bytes, so a feature takes 20 to 30.
//
// Averages (Collins 2002) cost one number a feature: with c the number of steps before an update
// by d, the sum of c · d is kept, and the average over n steps is weight − sum / n.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/array_file.hh"

namespace tunesmith::features {

struct KeyChange {
  std::uint64_t key = 0;
  float change = 0.0F;
};

class WeightTable {
 public:
  static constexpr int kShardBits = 8;
  static constexpr int kShards = 1 << kShardBits;

  // With `bits` above 0 keys are folded to so many bits: features may collide, and there are never
  // more than 2^bits. With 0 every key has a weight of its own.
  explicit WeightTable(int bits = 0);

  int bits() const { return bits_; }
  std::uint64_t size() const;
  // Bytes of all entries and free places.
  std::uint64_t memory() const;

  // The weight of a feature; 0 for one that is not there or was updated less than min_count times.
  float weight(std::uint64_t key) const {
    const Place place = locate(fold(key));
    return value_at(place);
  }
  // What a key becomes: itself, or its place among 2^bits.
  std::uint64_t fold(std::uint64_t key) const;
  // Sum of weights, with all look-ups under way at the same time.
  double sum(std::span<const std::uint64_t> keys) const;

  // A feature counts from its `count`-th update on.
  void set_min_count(int count) { min_count_ = count; }
  int min_count() const { return min_count_; }

  // Adds the changes in their order, on `threads` threads, as step number `step` (from 0).
  void add(std::span<const KeyChange> changes, double step, int threads);
  // A table of averages over `steps` steps (0: of the weights themselves), zeros left out.
  WeightTable averaged(double steps) const;

  // Everything, to go on from; or only what scoring needs.
  void save(ArrayFileWriter& file, bool all) const;
  void load(const ArrayFile& file);

  // All (key, weight), sorted by key.
  std::vector<KeyChange> entries() const;

 private:
  struct Shard {
    // 0: free, as the last one always is.
    std::vector<std::uint64_t> keys;
    std::vector<float> weights;
    std::vector<float> lagged;          // empty in a table that is only read
    std::vector<std::uint8_t> updates;  // 255: as many or more
    std::uint64_t size = 0;
    // Places that keys belong to; those behind them are for what has no room there.
    std::size_t homes = 0;

    void resize(std::size_t places, bool with_history);
    // The first place from `at` on whose key is not smaller than `key`, or that is free.
    std::size_t find(std::size_t at, std::uint64_t key) const {
      while (keys[at] - 1 < key - 1) ++at;  // free places count as the largest key
      return at;
    }
  };
  struct Place {
    const Shard* shard;
    std::uint64_t key;
    std::size_t at;
  };

  Place locate(std::uint64_t key) const {
    const Shard& shard = shards_[key >> (64 - kShardBits)];
    return {&shard, key, home(key, shard.homes)};
  }
  // Where a key belongs: its bits behind the shard's, scaled to the number of places.
  static std::size_t home(std::uint64_t key, std::size_t places) {
    return static_cast<std::size_t>((static_cast<unsigned __int128>(key << kShardBits) * places) >>
                                    64);
  }
  float value_at(const Place& place) const;
  static std::size_t find_or_add(Shard& shard, std::uint64_t key);
  // The entries of `from` over so many places, and as many behind these as it takes.
  static Shard spread(const Shard& from, std::size_t homes);

  int bits_ = 0;
  int min_count_ = 1;
  std::vector<Shard> shards_;
};

}  // namespace tunesmith::features
