// An array that waits on disk instead of in memory.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace tunesmith {

// An array that grows in an unnamed temporary file beside the output.
class SpilledArray {
 public:
  explicit SpilledArray(const std::string& beside);
  ~SpilledArray();
  SpilledArray(SpilledArray&& other) noexcept;
  SpilledArray(const SpilledArray&) = delete;

  void append(const void* data, std::size_t bytes);
  // Hands all bytes, in order, to `take(data, bytes)`.
  template <typename Take>
  void replay(Take take) {
    std::fflush(file_);
    std::rewind(file_);
    std::vector<char> block(1 << 20);
    while (const std::size_t n = std::fread(block.data(), 1, block.size(), file_))
      take(block.data(), n);
  }
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::FILE* file_ = nullptr;
  std::string path_;
  std::uint64_t bytes_ = 0;
};

}  // namespace tunesmith
