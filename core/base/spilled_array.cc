#include "base/spilled_array.hh"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.hh"

namespace tunesmith {

SpilledArray::SpilledArray(const std::string& beside) : path_(beside) {
  std::string name = beside + ".spill.XXXXXX";
  const int fd = ::mkstemp(name.data());
  if (fd < 0) throw InputError(beside, 0, std::strerror(errno), "a writable folder");
  ::unlink(name.c_str());  // gone with the process, however it ends
  file_ = ::fdopen(fd, "w+b");
}

SpilledArray::~SpilledArray() {
  if (file_ != nullptr) std::fclose(file_);
}

SpilledArray::SpilledArray(SpilledArray&& other) noexcept
    : file_(std::exchange(other.file_, nullptr)),
      path_(std::move(other.path_)),
      bytes_(other.bytes_) {}

void SpilledArray::append(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes)
    throw InputError(path_, 0, std::strerror(errno), "space to write the file");
  bytes_ += bytes;
}

}  // namespace tunesmith
