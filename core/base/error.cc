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
  for (unsigned char c : text.substr(0, end)) {
    if (c < 0x20 || c == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\x%02x", c);
      out += escape;
    } else {
      out += static_cast<char>(c);
    }
  }
  return out + (end < text.size() ? "…'" : "'");
}

}  // namespace tunesmith
