// The words of a line: what ASCII white space separates.
#pragma once

#include <cstddef>
#include <string_view>

namespace tunesmith {

template <typename Visit>
void for_each_word(std::string_view line, const Visit& visit) {
  constexpr auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    while (at != end && !is_space(*at)) ++at;
    visit(std::string_view(begin, static_cast<std::size_t>(at - begin)));
  }
}

}  // namespace tunesmith
