// Word links in Pharaoh format: one line per sentence pair, "i-j" for source position i and target
// position j, both from 0. Gold files mark possible links "ipj"; "i-j:0.97" carries a probability.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith::formats {

// The links of many sentence pairs: those of pair s are [offsets[s], offsets[s + 1]).
struct LinkLists {
  std::vector<std::uint64_t> offsets{0};
  std::vector<std::uint32_t> source, target;
  std::vector<std::uint8_t> possible;  // parallel to source; empty when no link is marked
  std::vector<float> probability;      // parallel to source; empty when no link carries one

  std::size_t size() const { return offsets.size() - 1; }
};

// The same, owned by somebody else.
struct LinkView {
  std::span<const std::uint64_t> offsets;
  std::span<const std::uint32_t> source, target;

  std::size_t size() const { return offsets.size() - 1; }
};

// Positions from here on are refused: no sentence is so long, a file of another kind is likely.
constexpr std::uint32_t kMaxLinkPosition = 1'000'000;

// Reads all of `text`; `path` is for messages. Throws InputError at the first broken link.
LinkLists parse_pharaoh(std::string_view text, const std::string& path);

// The opposite. `possible` and `probability` may be empty; probabilities have `digits` decimals.
std::string format_pharaoh(const LinkView& links, std::span<const std::uint8_t> possible,
                           std::span<const float> probability, int digits = 4);

}  // namespace tunesmith::formats
