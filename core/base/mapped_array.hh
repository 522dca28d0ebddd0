// A growing array outside the heap: growth moves pages instead of copying them, and what has been
// used up goes back to the system at once. For arrays that make up most of a process's memory.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace tunesmith {

template <typename T>
class MappedArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  MappedArray() = default;
  explicit MappedArray(std::size_t size) { resize(size); }
  MappedArray(MappedArray&& other) noexcept { swap(other); }
  MappedArray& operator=(MappedArray&& other) noexcept {
    swap(other);
    return *this;
  }
  MappedArray(const MappedArray&) = delete;
  ~MappedArray() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  std::span<const T> span() const { return {data_, size_}; }

  void push_back(const T& value) {
    if ((size_ + 1) * sizeof(T) > bytes_) grow(size_ + 1);
    data_[size_++] = value;
  }
  void append(const T* values, std::size_t count) {
    T* place = extend(count);
    if (count > 0) std::memcpy(place, values, count * sizeof(T));
  }
  // `count` more elements at the back, zero or left over from an earlier, larger size.
  T* extend(std::size_t count) {
    if ((size_ + count) * sizeof(T) > bytes_) grow(size_ + count);
    T* place = data_ + size_;
    size_ += count;
    return place;
  }
  void resize(std::size_t size) {
    if (size > size_)
      extend(size - size_);
    else
      size_ = size;
  }

  // Gives the whole pages before element `count` back to the system; they must not be read again.
  void release_front(std::size_t count) {
    const std::size_t end = count * sizeof(T) / kStep * kStep;
    if (end <= released_) return;
    ::madvise(reinterpret_cast<char*>(data_) + released_, end - released_, MADV_DONTNEED);
    released_ = end;
  }

  // Gives back the room for growth.
  void shrink() {
    const std::size_t needed = round_up(size_ * sizeof(T));
    if (needed == bytes_) return;
    if (needed == 0) {
      ::munmap(data_, bytes_);
      data_ = nullptr;
    } else {
      ::munmap(reinterpret_cast<char*>(data_) + needed, bytes_ - needed);
    }
    bytes_ = needed;
  }

  void swap(MappedArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
    std::swap(released_, other.released_);
  }

 private:
  static constexpr std::size_t kStep = std::size_t{1} << 18;  // a multiple of every page size

  static std::size_t round_up(std::size_t bytes) {
    static const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    return (bytes + page - 1) / page * page;
  }

  void grow(std::size_t elements) {
    // Untouched pages cost nothing, so the room may double freely.
    const std::size_t bytes = round_up(std::max(elements * sizeof(T), 2 * std::max(bytes_, kStep)));
#ifdef __linux__
    void* place = data_ == nullptr ? map(bytes) : ::mremap(data_, bytes_, bytes, MREMAP_MAYMOVE);
    if (place == MAP_FAILED) throw std::bad_alloc();
#else
    void* place = map(bytes);
    if (place == MAP_FAILED) throw std::bad_alloc();
    if (data_ != nullptr) {
      std::memcpy(place, data_, size_ * sizeof(T));
      ::munmap(data_, bytes_);
    }
#endif
    data_ = static_cast<T*>(place);
    bytes_ = bytes;
  }

  static void* map(std::size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
    flags |= MAP_NORESERVE;
#endif
    return ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  std::size_t released_ = 0;
};

}  // namespace tunesmith
