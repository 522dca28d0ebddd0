// From the keys of features to their numbers.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/hash.hh"

namespace tunesmith::reorder {

class KeyIndex {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  // keys[i] has the number i; keys are distinct and not 0.
  explicit KeyIndex(std::span<const std::uint64_t> keys)
      : slots_(std::bit_ceil(2 * keys.size() + 1)), shift_(64 - std::countr_zero(slots_.size())) {
    for (std::uint32_t id = 0; id < keys.size(); ++id) {
      std::size_t at = place(keys[id]);
      while (slots_[at].key != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = {keys[id], id};
    }
  }

  std::uint32_t find(std::uint64_t key) const {
    for (std::size_t at = place(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].id;
      if (slots_[at].key == 0) return kMissing;
    }
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t id = kMissing;
  };
  std::size_t place(std::uint64_t key) const {
    return shift_ == 64 ? 0 : static_cast<std::size_t>(mix64(key) >> shift_);
  }

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  int shift_;
};

}  // namespace tunesmith::reorder
