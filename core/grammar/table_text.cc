#include "grammar/table_text.hh"

#include <charconv>
#include <cmath>

#include "base/error.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

std::vector<std::string_view> fields(std::string_view line) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t bar = line.find("|||");
    std::string_view field = line.substr(0, bar);
    while (!field.empty() && field.front() == ' ') field.remove_prefix(1);
    while (!field.empty() && field.back() == ' ') field.remove_suffix(1);
    out.push_back(field);
    if (bar == std::string_view::npos) return out;
    line.remove_prefix(bar + 3);
  }
}

double number(std::string_view text, const Place& place) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() ||
      !std::isfinite(static_cast<float>(value)))
    throw InputError(place.path, place.line, quoted(text), "a finite number");
  return value;
}

void append_links(std::string_view field, std::size_t source_size, std::size_t target_size,
                  const Place& place, std::vector<std::uint16_t>& out) {
  each_word(field, [&](std::string_view word) {
    unsigned source = 0, target = 0;
    const char* end = word.data() + word.size();
    auto [dash, error] = std::from_chars(word.data(), end, source);
    if (error == std::errc() && dash != end && *dash == '-') {
      const auto [stop, second_error] = std::from_chars(dash + 1, end, target);
      if (second_error == std::errc() && stop == end && source < source_size &&
          target < target_size && source < 256 && target < 256) {
        out.push_back(pack_link(static_cast<int>(source), static_cast<int>(target)));
        return;
      }
    }
    throw InputError(place.path, place.line, quoted(word), "a link i-j inside the phrases");
  });
}

}  // namespace tunesmith::grammar
