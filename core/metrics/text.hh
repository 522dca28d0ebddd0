// UTF-8 text as Python's str methods see it: words between white space, and characters.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace tunesmith::metrics {

// The length in bytes of the white space that `text` has at `at`, or 0. White space is what
// str.split() takes for it: the 25 characters of Unicode's White_Space and U+001C to U+001F.
std::size_t space_at(std::string_view text, std::size_t at);

// The length in bytes of the character that starts at `at`; at least 1 and never past the end,
// whatever the bytes are.
inline std::size_t character_length(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const std::size_t length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  const std::size_t left = text.size() - at;
  return length < left ? length : left;
}

// str.strip() and str.rstrip().
std::string_view strip(std::string_view text);
std::string_view strip_right(std::string_view text);

// str.split(): the words replace the content of `words` and point into `text`.
void split_words(std::string_view text, std::vector<std::string_view>& words);

// The characters of `text`, those of white space left out if not wanted.
void split_characters(std::string_view text, bool keep_space,
                      std::vector<std::string_view>& characters);

}  // namespace tunesmith::metrics
