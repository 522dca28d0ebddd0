#include "base/error.hh"

#include <cstdio>

namespace tunesmith {
namespace {

std::string message(const std::string& path, std::uint64_t line, const std::string& found,
                    const std::string& expected, const std::string& remedy) {
  std::string text = path;
  if (line != 0) text += ":" + std::to_string(line);
  text += ": " + found;
  if (!expected.empty()) text += ", expected " + expected;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

// The bytes of the well-formed UTF-8 character at the start of `text`; 0 if there is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates, and what lies beyond U+10FFFF.
  if ((first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
      (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F))
    return 0;
  return size;
}

}  // namespace

InputError::InputError(std::string path, std::uint64_t line, std::string found,
                       std::string expected, std::string remedy)
    : Error(message(path, line, found, expected, remedy)),
      path_(std::move(path)),
      line_(line),
      found_(std::move(found)),
      expected_(std::move(expected)),
      remedy_(std::move(remedy)) {}

std::string quoted(std::string_view text, std::size_t max_bytes) {
  std::size_t end = text.size();
  if (end > max_bytes) {
    end = max_bytes;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  }
  std::string out = "'";
  for (std::size_t i = 0; i < end;) {
    const auto c = static_cast<unsigned char>(text[i]);
    const std::size_t size = character_bytes(text.substr(i, end - i));
    if (size == 0 || c < 0x20 || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", c);
      out += escape;
      ++i;
    } else {
      out.append(text, i, size);
      i += size;
    }
  }
  return out + (end < text.size() ? "…'" : "'");
}

}  // namespace tunesmith
