// UTF-8 ↔ code points. Bytes that are not UTF-8 become U+FFFD, so nothing here can go wrong;
// readers of files refuse such bytes before.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tunesmith {

// The code point at `at`, which moves behind it.
inline char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto lead = static_cast<unsigned char>(text[at++]);
  if (lead < 0x80) return lead;
  const std::size_t more = lead < 0xC2   ? 0
                           : lead < 0xE0 ? 1
                           : lead < 0xF0 ? 2
                           : lead < 0xF5 ? 3
                                         : 0;
  if (more == 0 || text.size() - at < more) return 0xFFFD;
  char32_t point = lead & (0x3F >> more);
  for (std::size_t i = 0; i < more; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return 0xFFFD;
    point = point << 6 | (byte & 0x3F);
  }
  at += more;
  return point;
}

inline void append_utf8(std::string& out, char32_t point) {
  const auto byte = [&](char32_t value) { out += static_cast<char>(value); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xC0 | point >> 6), byte(0x80 | (point & 0x3F));
  } else if (point < 0x10000) {
    byte(0xE0 | point >> 12), byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F));
  } else {
    byte(0xF0 | point >> 18), byte(0x80 | (point >> 12 & 0x3F));
    byte(0x80 | (point >> 6 & 0x3F)), byte(0x80 | (point & 0x3F));
  }
}

}  // namespace tunesmith
