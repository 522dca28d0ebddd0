// The one binary container of the system: named arrays in one file, mapped back without copying.
//
// Layout, little-endian:
//   1. header, 64 bytes: magic "TUNESMTH", kind (16 bytes, zero-padded: "lm", "bitext", …),
//      version of that kind (u32), byte-order mark (u32), directory offset, directory size,
//      directory checksum, number of this layout (u64 each);
//   2. the arrays, each aligned to 64 bytes;
//   3. the directory: per array its name, element type, shape, offset, byte count, and the
//      checksums of its pieces of 16 KiB.
// A file is written beside its final name and renamed when it is complete, so a reader never
// sees half of one. No byte of an array is used before its checksum has been compared.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/checked_array.hh"
#include "base/error.hh"
#include "base/mapped_file.hh"

namespace tunesmith {

// Element types, named as numpy's array protocol does: kind and bytes.
template <typename T>
constexpr std::string_view type_code() {
  if constexpr (std::is_same_v<T, char>) return "u1";
  if constexpr (std::is_same_v<T, float>) return "f4";
  if constexpr (std::is_same_v<T, double>) return "f8";
  if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
    return sizeof(T) == 1 ? "i1" : sizeof(T) == 2 ? "i2" : sizeof(T) == 4 ? "i4" : "i8";
  if constexpr (std::is_integral_v<T> && std::is_unsigned_v<T>)
    return sizeof(T) == 1 ? "u1" : sizeof(T) == 2 ? "u2" : sizeof(T) == 4 ? "u4" : "u8";
  return "V";  // a plain struct: its size is checked, its fields are the kind's business
}

struct ArrayEntry {
  std::string name;
  std::string type;  // a type code; "V" for plain structs
  std::uint32_t item_size = 0;
  std::vector<std::uint64_t> shape;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

class ArrayFileWriter {
 public:
  ArrayFileWriter(std::string path, std::string_view kind, std::uint32_t version);
  // Without finish() nothing appears under the final name.
  ~ArrayFileWriter();
  ArrayFileWriter(const ArrayFileWriter&) = delete;

  template <typename T>
  void add(std::string_view name, std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    begin(name, type_code<T>(), sizeof(T));
    append(values.data(), values.size_bytes());
    end();
  }
  template <typename T>
  void add(std::string_view name, const std::vector<T>& values) {
    add(name, std::span<const T>(values));
  }
  void add_text(std::string_view name, std::string_view text) {
    add(name, std::span<const char>(text.data(), text.size()));
  }

  // The same in pieces, for arrays larger than memory. end() takes the shape; without one the
  // array has a single dimension.
  void begin(std::string_view name, std::string_view type, std::uint32_t item_size);
  void append(const void* data, std::size_t bytes);
  void end(std::vector<std::uint64_t> shape = {});

  // Writes the directory, flushes to disk and renames.
  void finish();

 private:
  void write(const void* data, std::size_t bytes);

  std::string path_, temporary_;
  std::FILE* file_ = nullptr;
  std::string kind_;
  std::uint32_t version_;
  std::uint64_t position_ = 0;
  std::vector<ArrayEntry> entries_;
};

class ArrayFile {
 public:
  // Checks magic, kind, version and directory: every array lies inside the file.
  ArrayFile(const std::string& path, std::string_view kind, std::uint32_t version);

  const std::string& path() const { return file_.path(); }
  std::size_t size() const { return file_.size(); }
  // See MappedFile.
  void give_back() const { file_.give_back(); }
  // A hash of all contents, as they were written: of the directory with its checksums.
  std::uint64_t fingerprint() const { return fingerprint_; }
  const std::vector<ArrayEntry>& entries() const { return entries_; }
  bool has(std::string_view name) const;

  // An array to be checked as it is used; it lives as long as the file.
  template <typename T>
  CheckedArray<T> checked(std::string_view name) const {
    const std::size_t place = place_of(name);
    const ArrayEntry& found = entries_[place];
    if (found.type != type_code<T>() || found.item_size != sizeof(T)) wrong_type(found);
    return CheckedArray<T>(*bytes_[place]);
  }
  // An array that is checked now, all of it; throws InputError at the first difference.
  template <typename T>
  std::span<const T> array(std::string_view name) const {
    return checked<T>(name).all();
  }
  std::string_view text(std::string_view name) const;
  // The same for an array of any type.
  std::span<const char> bytes(std::string_view name) const;

 private:
  std::size_t place_of(std::string_view name) const;
  [[noreturn]] void wrong_type(const ArrayEntry& entry) const;

  MappedFile file_;
  std::uint64_t fingerprint_ = 0;
  std::vector<ArrayEntry> entries_;
  std::vector<std::unique_ptr<CheckedBytes>> bytes_;  // of each entry
};

}  // namespace tunesmith
