// A file mapped into memory for reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tunesmith {

class MappedFile {
 public:
  // Throws InputError when the file cannot be opened.
  explicit MappedFile(const std::string& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;
  MappedFile(const MappedFile&) = delete;
  ~MappedFile();

  const std::string& path() const { return path_; }
  const char* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::string_view view() const { return {data_, size_}; }
  // Takes the file out of this process's memory: the system keeps it in its cache while there is
  // room, and what is used again is mapped again. Others may use it meanwhile.
  void give_back() const;

 private:
  std::string path_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace tunesmith
