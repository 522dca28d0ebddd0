// Memory that is given back all at once: what search makes of rules is much and small.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace tunesmith::decode {

class Arena {
 public:
  template <typename T>
  T* make(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    const std::size_t bytes = count * sizeof(T);
    used_ = (used_ + alignof(T) - 1) / alignof(T) * alignof(T);
    if (blocks_.empty() || used_ + bytes > size_) {
      size_ = std::max(kBlock, bytes);
      blocks_.push_back(std::make_unique<std::byte[]>(size_));
      used_ = 0;
    }
    T* items = new (blocks_.back().get() + used_) T[count];
    used_ += bytes;
    return items;
  }
  void clear() {
    blocks_.clear();
    used_ = size_ = 0;
  }

 private:
  static constexpr std::size_t kBlock = 1 << 18;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::size_t used_ = 0, size_ = 0;
};

}  // namespace tunesmith::decode
