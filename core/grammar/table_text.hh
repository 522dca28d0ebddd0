// What the text formats of tables and grammars have in common: lines of fields between '|||'.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith::grammar {

// A line of a file, for messages.
struct Place {
  const std::string& path;
  std::uint64_t line;
};

// The fields of a line, without blanks around them.
std::vector<std::string_view> fields(std::string_view line);

// A number that is all of `text`, and finite as a float; throws InputError.
double number(std::string_view text, const Place& place);

// Links i-j inside two sides of these sizes, packed; throws InputError.
void append_links(std::string_view field, std::size_t source_size, std::size_t target_size,
                  const Place& place, std::vector<std::uint16_t>& out);

template <typename Visit>
void each_word(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    visit(text.substr(0, end));
    text.remove_prefix(end);
  }
}

// Calls visit(text, place) for every line, the first of which is line `line` of `path`.
template <typename Visit>
void each_line(std::string_view lines, const std::string& path, std::uint64_t line, Visit visit) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view text = lines.substr(0, end);
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    visit(text, Place{path, line++});
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

}  // namespace tunesmith::grammar
