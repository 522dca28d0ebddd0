// Items of one kind that wait on disk, in parts by the first bits of a key.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/spilled_array.hh"

namespace tunesmith::grammar {

constexpr int kPartBits = 6;
constexpr int kParts = 1 << kPartBits;

inline int part_of(std::uint64_t key) { return static_cast<int>(key >> (64 - kPartBits)); }

template <typename T>
class SpilledParts {
 public:
  explicit SpilledParts(const std::string& beside) {
    for (int p = 0; p < kParts; ++p) parts_.emplace_back(beside);
  }
  void append(int part, const std::vector<T>& items) {
    parts_[part].append(items.data(), items.size() * sizeof(T));
  }
  std::vector<T> load(int part) {
    std::vector<T> items(parts_[part].bytes() / sizeof(T));
    char* at = reinterpret_cast<char*>(items.data());
    parts_[part].replay([&](const char* data, std::size_t bytes) {
      std::memcpy(at, data, bytes);
      at += bytes;
    });
    return items;
  }
  std::size_t size(int part) const { return parts_[part].bytes() / sizeof(T); }

 private:
  std::vector<SpilledArray> parts_;
};

}  // namespace tunesmith::grammar
