#include "metrics/text.hh"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace tunesmith::metrics {
namespace {

// What a byte tells: part of a word, white space by itself, or the lead of a longer character that
// may be white space.
enum : std::uint8_t { kWord, kSpace, kMaybe };

constexpr std::array<std::uint8_t, 256> kByteClass = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 0x09; c <= 0x0D; ++c) table[c] = kSpace;
  for (int c = 0x1C; c <= 0x20; ++c) table[c] = kSpace;
  for (int c : {0xC2, 0xE1, 0xE2, 0xE3}) table[c] = kMaybe;
  return table;
}();

std::size_t long_space_at(std::string_view text, std::size_t at) {
  const std::size_t left = text.size() - at;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  if (byte(0) == 0xC2) return left >= 2 && (byte(1) == 0x85 || byte(1) == 0xA0) ? 2 : 0;
  if (left < 3) return 0;
  switch (byte(0)) {
    case 0xE1:  // U+1680
      return byte(1) == 0x9A && byte(2) == 0x80 ? 3 : 0;
    case 0xE2:  // U+2000 to U+200A, U+2028, U+2029, U+202F; U+205F
      if (byte(1) == 0x80)
        return byte(2) <= 0x8A || byte(2) == 0xA8 || byte(2) == 0xA9 || byte(2) == 0xAF ? 3 : 0;
      return byte(1) == 0x81 && byte(2) == 0x9F ? 3 : 0;
    default:  // U+3000
      return byte(1) == 0x80 && byte(2) == 0x80 ? 3 : 0;
  }
}

}  // namespace

std::size_t space_at(std::string_view text, std::size_t at) {
  switch (kByteClass[static_cast<unsigned char>(text[at])]) {
    case kSpace:
      return 1;
    case kMaybe:
      return long_space_at(text, at);
    default:
      return 0;
  }
}

std::string_view strip_right(std::string_view text) {
  while (!text.empty()) {
    // The last character starts at most four bytes before the end.
    std::size_t start = text.size() - 1;
    while (start > 0 && text.size() - start < 4 &&
           (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80)
      --start;
    if (space_at(text, start) != text.size() - start) break;
    text = text.substr(0, start);
  }
  return text;
}

std::string_view strip(std::string_view text) {
  while (!text.empty()) {
    const std::size_t space = space_at(text, 0);
    if (space == 0) break;
    text.remove_prefix(space);
  }
  return strip_right(text);
}

// Eight bytes at a time: only those below 0x21 or above 0x7F can be white space. A borrow may mark
// a byte too many, so each marked one is looked at; it never misses one.
void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  const char* data = text.data();
  const std::size_t size = text.size();
  std::size_t start = 0;
  const auto look = [&](std::size_t at) {
    const std::size_t space = space_at(text, at);
    if (space == 0) return;
    if (at > start) words.emplace_back(data + start, at - start);
    start = at + space;
  };
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; at + 8 <= size; at += 8) {
      std::uint64_t bytes;
      std::memcpy(&bytes, data + at, 8);
      std::uint64_t marks = ((bytes - 0x2121212121212121ULL) | bytes) & 0x8080808080808080ULL;
      for (; marks != 0; marks &= marks - 1) look(at + std::countr_zero(marks) / 8);
    }
  }
  for (; at < size; ++at) look(at);
  if (start < size) words.emplace_back(data + start, size - start);
}

void split_characters(std::string_view text, bool keep_space,
                      std::vector<std::string_view>& characters) {
  characters.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (keep_space || space_at(text, at) == 0) characters.push_back(text.substr(at, length));
    at += length;
  }
}

}  // namespace tunesmith::metrics
