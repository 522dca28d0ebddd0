// Is it UTF-8?
#pragma once

#include <cstddef>
#include <string_view>

namespace tunesmith {

// The position of the first byte that no UTF-8 text without NUL can have there, or npos: broken
// and overlong sequences, surrogates, code points past U+10FFFF.
std::size_t find_invalid_utf8(std::string_view text);

// Whether all of it is UTF-8; NUL is a character like others here.
bool is_utf8(std::string_view text);

}  // namespace tunesmith
