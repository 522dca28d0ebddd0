#include "base/array_file.hh"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/checksum.hh"
#include "base/utf8.hh"

namespace tunesmith {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr char kMagic[8] = {'T', 'U', 'N', 'E', 'S', 'M', 'T', 'H'};
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kAlignment = 64;
// Goes up when the layout changes, whatever the kind. Files of the first one have 0.
constexpr std::uint64_t kLayout = 2;

struct Header {
  char magic[8];
  char kind[16];
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t directory_offset;
  std::uint64_t directory_size;
  std::uint64_t directory_checksum;
  std::uint64_t layout;
};
static_assert(sizeof(Header) == 64);

class DirectoryReader {
 public:
  DirectoryReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string text() {
    const std::string_view text = take(number<std::uint16_t>());
    if (!is_utf8(text)) broken();
    return std::string(text);
  }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) broken();
    const std::string_view head = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return head;
  }
  [[noreturn]] void broken() const {
    throw InputError(path_, 0, "broken directory", "a whole file", "copy or make it again");
  }
  std::string_view bytes_;
  const std::string& path_;
};

bool is_type(const ArrayEntry& entry) {
  if (entry.type == "V") return entry.item_size > 0;
  const std::string_view kinds = "iufb", sizes = "1248";
  return entry.type.size() == 2 && kinds.find(entry.type[0]) != kinds.npos &&
         sizes.find(entry.type[1]) != sizes.npos &&
         static_cast<std::uint32_t>(entry.type[1] - '0') == entry.item_size;
}

bool fits_shape(const ArrayEntry& entry) {
  constexpr std::size_t kMostDimensions = 32;  // of numpy 1
  bool empty = false;
  std::uint64_t bytes = entry.item_size;  // of all that is not empty
  for (const std::uint64_t extent : entry.shape) {
    empty = empty || extent == 0;
    if (extent > 0 && __builtin_mul_overflow(bytes, extent, &bytes)) return false;
  }
  return entry.shape.size() <= kMostDimensions && bytes <= INT64_MAX &&
         entry.bytes == (empty ? 0 : bytes);
}

template <typename T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

void put_text(std::string& out, std::string_view text) {
  put(out, static_cast<std::uint16_t>(text.size()));
  out.append(text);
}

}  // namespace

ArrayFileWriter::ArrayFileWriter(std::string path, std::string_view kind, std::uint32_t version)
    : path_(std::move(path)),
      temporary_(path_ + ".tmp" + std::to_string(::getpid())),
      kind_(kind),
      version_(version) {
  if (kind_.empty() || kind_.size() > sizeof(Header::kind))
    throw OptionError("kind " + quoted(kind_) + " must have 1 to 16 bytes");
  // The rename at the end would put a file in the place of a device, a pipe or a folder; what
  // stands in /dev may be a link to a file, but must stay what it is.
  struct stat there;
  const bool device = (path_.starts_with("/dev/") && !path_.starts_with("/dev/shm/")) ||
                      path_.starts_with("/proc/");
  if (device || (::stat(path_.c_str(), &there) == 0 && !S_ISREG(there.st_mode)))
    throw InputError(path_, 0, "no ordinary file", "a file: this format needs to seek");
  file_ = std::fopen(temporary_.c_str(), "wb");
  if (file_ == nullptr) throw InputError(path_, 0, std::strerror(errno), "a writable file");
  const Header empty{};
  write(&empty, sizeof empty);
}

ArrayFileWriter::~ArrayFileWriter() {
  if (file_ == nullptr) return;
  std::fclose(file_);
  std::remove(temporary_.c_str());
}

void ArrayFileWriter::write(const void* data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_) != bytes)
    throw InputError(path_, 0, std::strerror(errno), "space to write the file");
  position_ += bytes;
}

void ArrayFileWriter::begin(std::string_view name, std::string_view type, std::uint32_t item_size) {
  static constexpr char zeros[kAlignment] = {};
  write(zeros, (kAlignment - position_ % kAlignment) % kAlignment);
  if (!is_utf8(name)) throw OptionError("an array's name that is no text");
  ArrayEntry entry;
  entry.name = name;
  entry.type = type;
  entry.item_size = item_size;
  entry.offset = position_;
  entries_.push_back(std::move(entry));
}

void ArrayFileWriter::append(const void* data, std::size_t bytes) { write(data, bytes); }

void ArrayFileWriter::end(std::vector<std::uint64_t> shape) {
  ArrayEntry& entry = entries_.back();
  entry.bytes = position_ - entry.offset;
  if (shape.empty()) shape = {entry.bytes / entry.item_size};
  entry.shape = std::move(shape);
}

void ArrayFileWriter::finish() {
  if (std::fflush(file_) != 0)
    throw InputError(path_, 0, std::strerror(errno), "space to write the file");
  // Checksums are taken from what the disk will hold, whatever the pieces were; a little at a time,
  // so that a large file is not in memory again.
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> written_file(
      std::fopen(temporary_.c_str(), "rb"), std::fclose);
  std::vector<char> window(64 * CheckedBytes::kPiece);
  const auto read_back = [&](std::uint64_t offset, std::size_t bytes) {
    if (written_file == nullptr ||
        ::fseeko(written_file.get(), static_cast<off_t>(offset), SEEK_SET) != 0 ||
        std::fread(window.data(), 1, bytes, written_file.get()) != bytes)
      throw InputError(path_, 0, std::strerror(errno), "a file that can be read back");
    return std::span<const char>(window.data(), bytes);
  };
  std::string directory;
  put(directory, static_cast<std::uint32_t>(entries_.size()));
  for (const ArrayEntry& entry : entries_) {
    put_text(directory, entry.name);
    put_text(directory, entry.type);
    put(directory, entry.item_size);
    put(directory, static_cast<std::uint32_t>(entry.shape.size()));
    for (const std::uint64_t extent : entry.shape) put(directory, extent);
    put(directory, entry.offset);
    put(directory, entry.bytes);
    for (std::uint64_t at = 0; at < entry.bytes; at += window.size()) {
      const auto part = read_back(entry.offset + at, std::min(window.size(), entry.bytes - at));
      for (const std::uint64_t sum : CheckedBytes::checksums(part)) put(directory, sum);
    }
  }
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::memcpy(header.kind, kind_.data(), kind_.size());
  header.version = version_;
  header.byte_order = kByteOrder;
  header.directory_offset = position_;
  header.directory_size = directory.size();
  header.directory_checksum = checksum(directory.data(), directory.size());
  header.layout = kLayout;
  write(directory.data(), directory.size());
  const bool written = std::fseek(file_, 0, SEEK_SET) == 0 &&
                       std::fwrite(&header, sizeof header, 1, file_) == 1 &&
                       std::fflush(file_) == 0 && ::fsync(::fileno(file_)) == 0;
  const bool closed = std::fclose(file_) == 0;
  file_ = nullptr;
  if (!written || !closed || std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary_.c_str());
    throw InputError(path_, 0, reason, "space to write the file");
  }
}

ArrayFile::ArrayFile(const std::string& path, std::string_view kind, std::uint32_t version)
    : file_(path) {
  const std::string expected = "a tunesmith file of kind " + quoted(kind);
  Header header;
  if (file_.size() < sizeof header || std::memcmp(file_.data(), kMagic, sizeof kMagic) != 0)
    throw InputError(path, 0, "not a tunesmith binary file", expected);
  std::memcpy(&header, file_.data(), sizeof header);
  const std::string found_kind(header.kind, strnlen(header.kind, sizeof header.kind));
  if (found_kind != kind) throw InputError(path, 0, "kind " + quoted(found_kind), expected);
  if (header.byte_order != kByteOrder)
    throw InputError(path, 0, "written on a machine with another byte order", expected);
  if (header.layout != kLayout)
    throw InputError(path, 0, "written by another version of tunesmith",
                     "layout " + std::to_string(kLayout) + " of its binary files",
                     "make the file again with this version of tunesmith");
  if (header.version != version)
    throw InputError(path, 0, "version " + std::to_string(header.version),
                     "version " + std::to_string(version),
                     "make the file again with this version of tunesmith");
  if (header.directory_offset > file_.size() ||
      header.directory_size != file_.size() - header.directory_offset)
    throw InputError(path, 0, "the file is cut short or has bytes added", "a whole file",
                     "copy or make it again");
  const std::string_view directory =
      file_.view().substr(header.directory_offset, header.directory_size);
  if (checksum(directory.data(), directory.size()) != header.directory_checksum)
    throw InputError(path, 0, "broken directory", "a whole file", "copy or make it again");
  fingerprint_ = header.directory_checksum;
  DirectoryReader reader(directory, path);
  const auto count = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < count; ++i) {
    ArrayEntry entry;
    entry.name = reader.text();
    entry.type = reader.text();
    entry.item_size = reader.number<std::uint32_t>();
    const auto dimensions = reader.number<std::uint32_t>();
    for (std::uint32_t d = 0; d < dimensions; ++d)
      entry.shape.push_back(reader.number<std::uint64_t>());
    entry.offset = reader.number<std::uint64_t>();
    entry.bytes = reader.number<std::uint64_t>();
    if (!is_type(entry)) wrong_type(entry);
    if (entry.offset % kAlignment != 0 || entry.offset > header.directory_offset ||
        entry.bytes > header.directory_offset - entry.offset || !fits_shape(entry))
      throw InputError(path, 0, "array " + quoted(entry.name) + " lies outside the file",
                       "a whole file", "copy or make it again");
    std::vector<std::uint64_t> checksums;
    for (std::uint64_t at = 0; at < entry.bytes; at += CheckedBytes::kPiece)
      checksums.push_back(reader.number<std::uint64_t>());
    bytes_.push_back(std::make_unique<CheckedBytes>(
        path, entry.name, std::span(file_.data() + entry.offset, entry.bytes),
        std::move(checksums)));
    entries_.push_back(std::move(entry));
  }
}

bool ArrayFile::has(std::string_view name) const {
  for (const ArrayEntry& entry : entries_)
    if (entry.name == name) return true;
  return false;
}

std::size_t ArrayFile::place_of(std::string_view name) const {
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (entries_[i].name == name) return i;
  throw InputError(path(), 0, "no array " + quoted(name), "a whole file", "make it again");
}

std::string_view ArrayFile::text(std::string_view name) const {
  const auto bytes = array<char>(name);
  return {bytes.data(), bytes.size()};
}

std::span<const char> ArrayFile::bytes(std::string_view name) const {
  return CheckedArray<char>(*bytes_[place_of(name)]).all();
}

void ArrayFile::wrong_type(const ArrayEntry& entry) const {
  throw InputError(path(), 0,
                   "array " + quoted(entry.name) + " of type " + entry.type + " with items of " +
                       std::to_string(entry.item_size) + " bytes",
                   "the type this version reads");
}

}  // namespace tunesmith
