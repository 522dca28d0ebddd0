// Keys by which equal sentences are found.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tunesmith::corpus {

// A hash of each line's words; white space does not count.
std::vector<std::uint64_t> hash_lines(std::span<const std::string_view> lines, int threads);

// Groups of pairs that must stay together because they share a sentence, directly or through
// other pairs: the number of the first pair of its group for each pair.
std::vector<std::uint32_t> group_by_sentence(std::span<const std::uint64_t> sources,
                                             std::span<const std::uint64_t> targets);

}  // namespace tunesmith::corpus
