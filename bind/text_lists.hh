// Texts that stand in one block of bytes, and lists of them, as Python's NbestList keeps them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "arrays.hh"
#include "base/error.hh"

namespace tunesmith::bind {

using TextBytes = In<std::uint8_t>;
using TextOffsets = In<std::int64_t>;

// Views of the texts; text t is bytes[offsets[t]] … bytes[offsets[t + 1] − 1].
inline std::vector<std::string_view> text_views(const TextBytes& bytes,
                                                const TextOffsets& offsets) {
  const std::span<const std::int64_t> at = span_of(offsets);
  if (at.empty() || at.front() != 0 || at.back() > static_cast<std::int64_t>(bytes.size()) ||
      !std::is_sorted(at.begin(), at.end()))
    throw OptionError("offsets of texts that do not fit their bytes");
  const auto* const data = reinterpret_cast<const char*>(bytes.data());
  std::vector<std::string_view> views;
  views.reserve(at.size() - 1);
  for (std::size_t t = 0; t + 1 < at.size(); ++t)
    views.emplace_back(data + at[t], static_cast<std::size_t>(at[t + 1] - at[t]));
  return views;
}

// Refuses lists that are not exactly of `rows` rows.
inline std::span<const std::int64_t> list_offsets(const TextOffsets& offsets, std::size_t rows) {
  const std::span<const std::int64_t> at = span_of(offsets);
  if (at.empty() || at.front() != 0 || at.back() != static_cast<std::int64_t>(rows) ||
      !std::is_sorted(at.begin(), at.end()))
    throw OptionError("offsets of lists that do not fit their rows");
  return at;
}

}  // namespace tunesmith::bind
