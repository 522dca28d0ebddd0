#include "metrics/preprocess.hh"

#include "metrics/text.hh"
#include "metrics/tokenize.hh"

namespace tunesmith {
namespace {

// Of a character of two to four bytes.
std::uint32_t code_point(std::string_view character) {
  const auto bits = [&](std::size_t i, unsigned mask) {
    return static_cast<unsigned char>(character[i]) & mask;
  };
  switch (character.size()) {
    case 2:
      return bits(0, 0x1F) << 6 | bits(1, 0x3F);
    case 3:
      return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
    case 4:
      return bits(0, 0x07) << 18 | bits(1, 0x3F) << 12 | bits(2, 0x3F) << 6 | bits(3, 0x3F);
    default:
      return bits(0, 0xFF);
  }
}

}  // namespace

void Lowercase::operator()(std::string_view text, std::string& out) const {
  if (text.find("\xCE\xA3") != std::string_view::npos) {
    out = exact_(text);
    return;
  }
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (static_cast<unsigned char>(c) < 0x80) {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
      ++at;
      continue;
    }
    const std::string_view character = text.substr(at, character_length(text, at));
    const auto lower = letters_.find(code_point(character));
    if (lower == letters_.end())
      out += character;
    else
      out += lower->second;
    at += character.size();
  }
}

std::string_view Preprocess::operator()(std::string_view text, Scratch& scratch) const {
  if (lowercase) {
    (*lowercase)(text, scratch.first);
    text = scratch.first;
  }
  switch (tokenizer) {
    case Tokenizer::k13a:
      tokenize_13a(strip_right(text), scratch.second, scratch.third);
      return scratch.second;
    case Tokenizer::kFilter:
      scratch.second = filter(strip_right(text));
      return scratch.second;
    default:
      return text;
  }
}

}  // namespace tunesmith
