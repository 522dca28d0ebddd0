#include "base/array_file.hh"

#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstring>

#include "base/hash.hh"

namespace tunesmith {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr char kMagic[8] = {'T', 'U', 'N', 'E', 'S', 'M', 'T', 'H'};
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::size_t kAlignment = 64;

struct Header {
  char magic[8];
  char kind[16];
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t directory_offset;
  std::uint64_t directory_size;
  std::uint64_t directory_checksum;
  std::uint64_t zero;
};
static_assert(sizeof(Header) == 64);

// Chained over blocks of this size so that writer and reader agree however the data arrive.
constexpr std::size_t kChecksumBlock = 1 << 16;

std::uint64_t checksum(const char* data, std::size_t size) {
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < size; i += kChecksumBlock) {
    h = hash_bytes(data + i, std::min(kChecksumBlock, size - i), h);
  }
  return h;
}

class DirectoryReader {
 public:
  DirectoryReader(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}
  template <typename T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::string text() { return std::string(take(number<std::uint16_t>())); }

 private:
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) throw InputError(path_, 0, "broken directory", "a whole file");
    const std::string_view head = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return head;
  }
  std::string_view bytes_;
  const std::string& path_;
};

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
  {
    // Checksums are taken from what the disk will hold, whatever the pieces were.
    const MappedFile written(temporary_);
    for (ArrayEntry& entry : entries_)
      entry.checksum = checksum(written.data() + entry.offset, entry.bytes);
  }
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
    put(directory, entry.checksum);
  }
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::memcpy(header.kind, kind_.data(), kind_.size());
  header.version = version_;
  header.byte_order = kByteOrder;
  header.directory_offset = position_;
  header.directory_size = directory.size();
  header.directory_checksum = checksum(directory.data(), directory.size());
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
    entry.checksum = reader.number<std::uint64_t>();
    if (entry.item_size == 0 || entry.offset > header.directory_offset ||
        entry.bytes > header.directory_offset - entry.offset || entry.bytes % entry.item_size != 0)
      throw InputError(path, 0, "array " + quoted(entry.name) + " lies outside the file",
                       "a whole file", "copy or make it again");
    entries_.push_back(std::move(entry));
  }
}

bool ArrayFile::has(std::string_view name) const {
  for (const ArrayEntry& entry : entries_)
    if (entry.name == name) return true;
  return false;
}

const ArrayEntry& ArrayFile::entry(std::string_view name) const {
  for (const ArrayEntry& entry : entries_)
    if (entry.name == name) return entry;
  throw InputError(path(), 0, "no array " + quoted(name), "a whole file");
}

std::string_view ArrayFile::text(std::string_view name) const {
  const auto bytes = array<char>(name);
  return {bytes.data(), bytes.size()};
}

void ArrayFile::verify() const {
  for (const ArrayEntry& entry : entries_) {
    if (checksum(data(entry), entry.bytes) != entry.checksum)
      throw InputError(path(), 0, "the contents of array " + quoted(entry.name) + " have changed",
                       "the checksum it was written with", "copy or make the file again");
  }
}

void ArrayFile::wrong_type(const ArrayEntry& entry) const {
  throw InputError(path(), 0,
                   "array " + quoted(entry.name) + " of type " + entry.type + " with items of " +
                       std::to_string(entry.item_size) + " bytes",
                   "the type this version reads");
}

}  // namespace tunesmith
