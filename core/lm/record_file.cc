#include "lm/record_file.hh"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hh"

namespace tunesmith::lm {
namespace {

constexpr std::size_t kBufferNumbers = 1 << 16;

}  // namespace

RecordFile::RecordFile(std::string folder) : folder_(std::move(folder)) {
  std::string name = folder_ + "/tunesmith-lm-XXXXXX";
  file_ = ::mkostemp(name.data(), O_CLOEXEC);
  if (file_ < 0) fail();
  ::unlink(name.c_str());
}

RecordFile::~RecordFile() {
  if (file_ >= 0) ::close(file_);
}

RecordFile::RecordFile(RecordFile&& other) noexcept { *this = std::move(other); }

RecordFile& RecordFile::operator=(RecordFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  std::swap(written_, other.written_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

void RecordFile::fail() const {
  throw InputError(folder_, 0, std::strerror(errno), "room for temporary files",
                   "choose another folder, or more memory so that none is needed");
}

void RecordFile::append(const std::uint32_t* numbers, std::size_t count) {
  buffer_.insert(buffer_.end(), numbers, numbers + count);
  if (buffer_.size() >= kBufferNumbers) flush();
}

void RecordFile::flush() {
  const char* data = reinterpret_cast<const char*>(buffer_.data());
  std::size_t left = buffer_.size() * sizeof(std::uint32_t);
  while (left > 0) {
    const ::ssize_t done = ::write(file_, data, left);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail();
    data += done;
    left -= static_cast<std::size_t>(done);
  }
  written_ += buffer_.size();
  buffer_.clear();
}

void RecordFile::read(std::uint64_t at, std::uint32_t* out, std::size_t count) const {
  char* data = reinterpret_cast<char*>(out);
  std::size_t left = count * sizeof(std::uint32_t);
  std::uint64_t offset = at * sizeof(std::uint32_t);
  while (left > 0) {
    const ::ssize_t done = ::pread(file_, data, left, static_cast<::off_t>(offset));
    if (done < 0 && errno == EINTR) continue;
    if (done == 0) errno = EIO;
    if (done <= 0) fail();
    data += done;
    offset += static_cast<std::uint64_t>(done);
    left -= static_cast<std::size_t>(done);
  }
}

RecordReader::RecordReader(const RecordFile& file, std::uint64_t begin, std::uint64_t end,
                           std::size_t width, std::size_t buffer)
    : file_(&file),
      at_(begin),
      end_(end),
      width_(width),
      buffer_(width * std::max<std::size_t>(buffer, 1)) {}

RecordReader::RecordReader(RecordFile& file, std::size_t width)
    : RecordReader(file, 0, (file.flush(), file.size()), width, kBufferNumbers / width) {}

const std::uint32_t* RecordReader::next() {
  if (place_ == filled_) {
    if (at_ == end_) return nullptr;
    filled_ = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), end_ - at_));
    file_->read(at_, buffer_.data(), filled_);
    at_ += filled_;
    place_ = 0;
  }
  const std::uint32_t* record = &buffer_[place_];
  place_ += width_;
  return record;
}

}  // namespace tunesmith::lm
