#include "base/character_kind.hh"

#include <algorithm>
#include <iterator>

#include "base/character_kind_runs.hh"

namespace tunesmith {

CharacterKind character_kind(char32_t point) {
  // Runs of characters of one kind: the last that does not begin behind the character.
  const std::uint32_t last_of_point = static_cast<std::uint32_t>(point) << 3 | 7;
  const auto* const run = std::upper_bound(std::begin(kRuns), std::end(kRuns), last_of_point) - 1;
  return static_cast<CharacterKind>(*run & 7);
}

}  // namespace tunesmith
