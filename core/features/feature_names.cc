#include "features/feature_names.hh"

#include <cstdio>

#include "base/code_points.hh"

namespace tunesmith::features {
namespace {

bool is_blank(char32_t c) {
  return c <= 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

}  // namespace

std::string name_part(std::string_view word) {
  std::string out;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(word, at);
    if (is_blank(c)) {
      char code[16];
      std::snprintf(code, sizeof code, "\\u{%X}", static_cast<unsigned>(c));
      out += code;
      continue;
    }
    if (c == '_' || c == '|' || c == '\\' || (c == '<' && begin == 0)) out += '\\';
    out += word.substr(begin, at - begin);
  }
  return out;
}

}  // namespace tunesmith::features
