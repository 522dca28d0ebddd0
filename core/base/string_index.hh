// Strings ↔ dense ids in order of first appearance: vocabularies and feature names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith {

class ArrayFile;

class StringIndex {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  StringIndex();
  // From what bytes() and ends() gave; throws Error unless the strings are distinct, UTF-8, and the
  // ends in order.
  StringIndex(std::span<const char> bytes, std::span<const std::uint64_t> ends);
  // The same from two arrays of a file; throws InputError.
  static StringIndex read(const ArrayFile& file, std::string_view bytes, std::string_view ends);

  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  // The id of `text`, new or old.
  std::uint32_t add(std::string_view text);
  // The id of `text`, or kMissing.
  std::uint32_t find(std::string_view text) const;
  // Valid until the next add().
  std::string_view text(std::uint32_t id) const {
    const std::uint64_t begin = id == 0 ? 0 : ends_[id - 1];
    return {bytes_.data() + begin, ends_[id] - begin};
  }

  // All strings back to back and where each ends: what a file holds of an index.
  std::span<const char> bytes() const { return bytes_; }
  std::span<const std::uint64_t> ends() const { return ends_; }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t id = kMissing;
  };
  void grow();

  std::vector<char> bytes_;
  std::vector<std::uint64_t> ends_;
  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
};

}  // namespace tunesmith
