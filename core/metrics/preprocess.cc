#include "metrics/preprocess.hh"

#include "base/code_points.hh"
#include "metrics/text.hh"
#include "metrics/tokenize.hh"

namespace tunesmith::metrics {
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
    const std::size_t start = at;
    const auto lower = letters_.find(next_code_point(text, at));
    if (lower == letters_.end())
      out += text.substr(start, at - start);
    else
      out += lower->second;
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

}  // namespace tunesmith::metrics
