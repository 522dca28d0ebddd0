// Arrays of a file whose contents are looked at before they are used: in pieces, each once, when
// it is first needed. So a large file is neither read as a whole nor used unseen.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tunesmith {

// The bytes of one array. What is asked for may be asked for by several threads at a time.
class CheckedBytes {
 public:
  // Small enough that a look-up reads little more than the system does for it anyway.
  static constexpr std::size_t kPiece = 1 << 14;

  CheckedBytes(std::string path, std::string name, std::span<const char> bytes,
               std::vector<std::uint64_t> checksums);
  CheckedBytes(const CheckedBytes&) = delete;

  static std::vector<std::uint64_t> checksums(std::span<const char> bytes);

  const char* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  // What must hold of the bytes [begin, end) of a piece besides its checksum.
  void expect(std::function<bool(std::size_t begin, std::size_t end)> holds) {
    holds_ = std::move(holds);
  }
  // Throws InputError unless the bytes [begin, end) are what was written; they must be there.
  void require(std::size_t begin, std::size_t end) const {
    for (std::size_t piece = begin / kPiece; piece * kPiece < end; ++piece)
      if (!good_[piece].load(std::memory_order_relaxed)) look_at(piece);
  }
  [[noreturn]] void refuse() const;

 private:
  void look_at(std::size_t piece) const;

  std::string path_, name_;
  std::span<const char> bytes_;
  std::vector<std::uint64_t> checksums_;
  std::function<bool(std::size_t, std::size_t)> holds_;
  std::unique_ptr<std::atomic<bool>[]> good_;
};

template <typename T>
class CheckedArray {
  static_assert(CheckedBytes::kPiece % sizeof(T) == 0);

 public:
  CheckedArray() = default;
  explicit CheckedArray(CheckedBytes& bytes)
      : bytes_(&bytes),
        items_(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)) {}

  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  // The index must be below size().
  const T& operator[](std::size_t i) const {
    bytes_->require(i * sizeof(T), (i + 1) * sizeof(T));
    return items_[i];
  }
  const T& back() const { return (*this)[size() - 1]; }
  // Indices that come from a file: throws InputError unless they lie inside.
  std::span<const T> slice(std::uint64_t begin, std::uint64_t end) const {
    if (begin > end || end > size()) bytes_->refuse();
    bytes_->require(begin * sizeof(T), end * sizeof(T));
    return items_.subspan(begin, end - begin);
  }
  // The first place whose item is not `before`, as std::partition_point finds it, or size().
  template <typename Before>
  std::size_t partition_point(Before before) const {
    std::size_t begin = 0, end = size();
    while (begin < end) {
      const std::size_t middle = begin + (end - begin) / 2;
      if (before((*this)[middle]))
        begin = middle + 1;
      else
        end = middle;
    }
    return begin;
  }
  std::span<const T> all() const { return slice(0, size()); }
  // Throws InputError: what the array says makes no sense.
  [[noreturn]] void refuse() const { bytes_->refuse(); }

  // What must hold of every item, and of every two neighbours.
  template <typename Holds>
  void expect_each(Holds holds) {
    bytes_->expect([items = items_, holds](std::size_t begin, std::size_t end) {
      return std::all_of(&items[begin / sizeof(T)], items.data() + end / sizeof(T), holds);
    });
  }
  template <typename Holds>
  void expect_neighbours(Holds holds) {
    bytes_->expect([items = items_, holds](std::size_t begin, std::size_t end) {
      for (std::size_t i = std::max<std::size_t>(begin / sizeof(T), 1); i < end / sizeof(T); ++i)
        if (!holds(items[i - 1], items[i])) return false;
      return true;
    });
  }

 private:
  CheckedBytes* bytes_ = nullptr;
  std::span<const T> items_;
};

// Rows of different lengths, back to back: row i ends at ends[i].
template <typename T>
struct CheckedRows {
  CheckedArray<T> items;
  CheckedArray<std::uint64_t> ends;

  std::size_t size() const { return ends.size(); }
  // Whether the last row ends where the items do.
  bool fit() const { return (ends.empty() ? 0 : ends.back()) == items.size(); }
  std::span<const T> operator[](std::size_t i) const {
    return items.slice(i == 0 ? 0 : ends[i - 1], ends[i]);
  }
};

}  // namespace tunesmith
