#include "base/checked_array.hh"

#include "base/checksum.hh"
#include "base/error.hh"

namespace tunesmith {
namespace {

std::span<const char> piece_of(std::span<const char> bytes, std::size_t piece) {
  const std::size_t begin = piece * CheckedBytes::kPiece;
  return bytes.subspan(begin, std::min(CheckedBytes::kPiece, bytes.size() - begin));
}

}  // namespace

CheckedBytes::CheckedBytes(std::string path, std::string name, std::span<const char> bytes,
                           std::vector<std::uint64_t> checksums)
    : path_(std::move(path)),
      name_(std::move(name)),
      bytes_(bytes),
      checksums_(std::move(checksums)),
      good_(new std::atomic<bool>[checksums_.size()]()) {}

std::vector<std::uint64_t> CheckedBytes::checksums(std::span<const char> bytes) {
  std::vector<std::uint64_t> out((bytes.size() + kPiece - 1) / kPiece);
  for (std::size_t piece = 0; piece < out.size(); ++piece) {
    const auto part = piece_of(bytes, piece);
    out[piece] = checksum(part.data(), part.size());
  }
  return out;
}

void CheckedBytes::look_at(std::size_t piece) const {
  const auto part = piece_of(bytes_, piece);
  if (checksum(part.data(), part.size()) != checksums_[piece])
    throw InputError(path_, 0, "the contents of array " + quoted(name_) + " have changed",
                     "the checksum it was written with", "copy or make the file again");
  const std::size_t begin = piece * kPiece;
  if (holds_ && !holds_(begin, begin + part.size())) refuse();
  good_[piece].store(true, std::memory_order_relaxed);
}

void CheckedBytes::refuse() const {
  throw InputError(path_, 0, "values of array " + quoted(name_) + " that make no sense",
                   "a whole file", "make it again");
}

}  // namespace tunesmith
