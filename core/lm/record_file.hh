// Records of 32-bit numbers in a temporary file that has no name: whatever happens to the process,
// nothing stays behind.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tunesmith::lm {

class RecordFile {
 public:
  explicit RecordFile(std::string folder);
  ~RecordFile();
  RecordFile(RecordFile&& other) noexcept;
  RecordFile& operator=(RecordFile&& other) noexcept;
  RecordFile(const RecordFile&) = delete;

  void append(const std::uint32_t* numbers, std::size_t count);
  // How many numbers were appended.
  std::uint64_t size() const { return written_ + buffer_.size(); }
  // Writes what is still in memory; read() sees only that.
  void flush();
  void read(std::uint64_t at, std::uint32_t* out, std::size_t count) const;

 private:
  [[noreturn]] void fail() const;

  std::string folder_;
  int file_ = -1;
  std::uint64_t written_ = 0;
  std::vector<std::uint32_t> buffer_;
};

// Records of `width` numbers, one after the other.
class RecordReader {
 public:
  // Reads the numbers [begin, end) of a flushed file, `buffer` records at a time.
  RecordReader(const RecordFile& file, std::uint64_t begin, std::uint64_t end, std::size_t width,
               std::size_t buffer);
  RecordReader(RecordFile& file, std::size_t width);
  // The next record, or null behind the last; valid until the next call.
  const std::uint32_t* next();

 private:
  const RecordFile* file_;
  std::uint64_t at_, end_;
  std::size_t width_;
  std::vector<std::uint32_t> buffer_;
  std::size_t place_ = 0, filled_ = 0;
};

}  // namespace tunesmith::lm
