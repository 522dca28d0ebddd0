#include "base/utf8.hh"

#include <cstdint>
#include <cstring>

namespace tunesmith {
namespace {

bool continues(std::string_view text, std::size_t i) {
  return i < text.size() && (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80;
}

// The length of the valid sequence at i, or 0.
std::size_t sequence(std::string_view text, std::size_t i) {
  const auto a = static_cast<unsigned char>(text[i]);
  if (a < 0x80) return a != 0 ? 1 : 0;
  if (a < 0xC2 || a > 0xF4 || !continues(text, i + 1)) return 0;
  if (a < 0xE0) return 2;
  const auto b = static_cast<unsigned char>(text[i + 1]);
  if (!continues(text, i + 2)) return 0;
  if (a < 0xF0) {
    const bool overlong = a == 0xE0 && b < 0xA0, surrogate = a == 0xED && b >= 0xA0;
    return overlong || surrogate ? 0 : 3;
  }
  if (!continues(text, i + 3)) return 0;
  return (a == 0xF0 && b < 0x90) || (a == 0xF4 && b >= 0x90) ? 0 : 4;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  constexpr std::uint64_t kHigh = 0x8080808080808080ULL, kOnes = 0x0101010101010101ULL;
  std::size_t i = 0;
  while (i < text.size()) {
    while (i + 8 <= text.size()) {
      std::uint64_t word;
      std::memcpy(&word, text.data() + i, 8);
      if (((word | (word - kOnes)) & kHigh) != 0) break;  // neither high bits nor NUL
      i += 8;
    }
    // A word that may hold something else, byte by byte.
    for (const std::size_t stop = i + 8; i < stop && i < text.size();) {
      const std::size_t length = sequence(text, i);
      if (length == 0) return i;
      i += length;
    }
  }
  return std::string_view::npos;
}

bool is_utf8(std::string_view text) {
  for (;;) {
    const std::size_t at = find_invalid_utf8(text);
    if (at == text.npos) return true;
    if (text[at] != '\0') return false;
    text.remove_prefix(at + 1);
  }
}

}  // namespace tunesmith
