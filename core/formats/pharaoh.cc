#include "formats/pharaoh.hh"

#include <charconv>
#include <cmath>

#include "base/error.hh"

namespace tunesmith::formats {
namespace {

constexpr const char* kExpected = "links such as 0-1, 0p1 or 0-1:0.97";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// One token of a line: "i-j", "ipj", either with ":probability".
class LinkParser {
 public:
  LinkParser(const std::string& path, LinkLists& out) : path_(path), out_(out) {}

  void add(std::string_view token, std::uint64_t line) {
    const char* at = token.data();
    const char* const end = at + token.size();
    const std::uint32_t source = position(at, end, token, line);
    if (at == end || (*at != '-' && *at != 'p')) broken(token, line);
    const bool possible = *at++ == 'p';
    const std::uint32_t target = position(at, end, token, line);
    float probability = 1.0F;
    const bool has_probability = at != end;
    if (has_probability) {
      if (*at++ != ':') broken(token, line);
      const auto [stop, error] = std::from_chars(at, end, probability);
      if (error != std::errc() || stop != end || !(probability >= 0.0F && probability <= 1.0F))
        throw InputError(path_, line, "link " + quoted(token),
                         "a probability from 0 to 1 after ':'");
    }
    // The parallel arrays appear with the first link that needs them.
    if (possible && out_.possible.empty()) out_.possible.assign(out_.source.size(), 0);
    if (has_probability && out_.probability.empty())
      out_.probability.assign(out_.source.size(), 1.0F);
    out_.source.push_back(source);
    out_.target.push_back(target);
    if (possible || !out_.possible.empty()) out_.possible.push_back(possible ? 1 : 0);
    if (has_probability || !out_.probability.empty()) out_.probability.push_back(probability);
  }

 private:
  [[noreturn]] void broken(std::string_view token, std::uint64_t line) const {
    throw InputError(path_, line, "link " + quoted(token), kExpected);
  }
  std::uint32_t position(const char*& at, const char* end, std::string_view token,
                         std::uint64_t line) const {
    std::uint32_t value = 0;
    const auto [stop, error] = std::from_chars(at, end, value);
    if (error == std::errc::result_out_of_range ||
        (error == std::errc() && value >= kMaxLinkPosition))
      throw InputError(path_, line, "link " + quoted(token),
                       "positions below " + std::to_string(kMaxLinkPosition));
    if (error != std::errc()) broken(token, line);
    at = stop;
    return value;
  }

  const std::string& path_;
  LinkLists& out_;
};

}  // namespace

LinkLists parse_pharaoh(std::string_view text, const std::string& path) {
  LinkLists out;
  LinkParser parser(path, out);
  std::uint64_t line = 0;
  while (!text.empty()) {
    ++line;
    const std::size_t newline = text.find('\n');
    std::string_view rest = text.substr(0, newline);
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    while (true) {
      while (!rest.empty() && is_space(rest.front())) rest.remove_prefix(1);
      if (rest.empty()) break;
      std::size_t size = 1;
      while (size < rest.size() && !is_space(rest[size])) ++size;
      parser.add(rest.substr(0, size), line);
      rest.remove_prefix(size);
    }
    out.offsets.push_back(out.source.size());
  }
  return out;
}

std::string format_pharaoh(const LinkView& links, std::span<const std::uint8_t> possible,
                           std::span<const float> probability, int digits) {
  std::string out;
  out.reserve(links.source.size() * (probability.empty() ? 6 : 13) + links.size());
  char number[48];
  const auto put = [&](auto... arguments) {
    out.append(number, std::to_chars(number, number + sizeof number, arguments...).ptr);
  };
  for (std::size_t s = 0; s < links.size(); ++s) {
    for (std::uint64_t k = links.offsets[s]; k < links.offsets[s + 1]; ++k) {
      if (k > links.offsets[s]) out += ' ';
      put(links.source[k]);
      out += !possible.empty() && possible[k] ? 'p' : '-';
      put(links.target[k]);
      if (!probability.empty()) {
        out += ':';
        put(probability[k], std::chars_format::fixed, digits);
      }
    }
    out += '\n';
  }
  return out;
}

}  // namespace tunesmith::formats
