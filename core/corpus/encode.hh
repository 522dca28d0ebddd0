// Text ↔ word ids. A line is words separated by ASCII white space; every other character, `|`,
// `<s>`, U+00A0 or U+2028 included, belongs to a word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"

namespace tunesmith::corpus {

// Sentences as one array of ids: sentence i is ids[offsets[i]] … ids[offsets[i + 1] − 1].
struct EncodedLines {
  std::vector<std::uint64_t> offsets;  // one more than there are lines, the first is 0
  std::vector<std::uint32_t> ids;
};

// Encodes `lines`, adding new words to `vocabulary` in the order of their first appearance, which
// does not depend on the number of threads.
EncodedLines encode_lines(StringIndex& vocabulary, std::span<const std::string_view> lines,
                          int threads);

// The same with a vocabulary that stays as it is: an unknown word gets StringIndex::kMissing.
EncodedLines encode_known(const StringIndex& vocabulary, std::span<const std::string_view> lines,
                          int threads);

// Line i again, words joined by single spaces. Throws Error when an id is not in the vocabulary.
std::string decode_line(const StringIndex& vocabulary, std::span<const std::uint32_t> ids);

}  // namespace tunesmith::corpus
