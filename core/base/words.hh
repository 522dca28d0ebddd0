// The words of a line: what ASCII white space separates.
#pragma once

#include <cstddef>
#include <string_view>

namespace tunesmith {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Calls visit(word) for every word of `line`.
template <typename Visit>
void for_each_word(std::string_view line, const Visit& visit) {
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    do ++at;
    while (at != end && !is_space(*at));
    visit(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

}  // namespace tunesmith
