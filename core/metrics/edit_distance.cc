#include "metrics/edit_distance.hh"

namespace tunesmith::metrics {

void EditPatterns::add(std::span<const std::uint32_t> reference, std::uint32_t symbols) {
  const auto blocks = static_cast<std::uint32_t>((reference.size() + 63) / 64);
  const Pattern pattern{places_.size(), static_cast<std::int32_t>(reference.size()), blocks};
  patterns_.push_back(pattern);
  places_.resize(places_.size() + static_cast<std::size_t>(symbols) * blocks);
  for (std::size_t i = 0; i < reference.size(); ++i)
    places_[pattern.first + static_cast<std::size_t>(reference[i]) * blocks + i / 64] |=
        std::uint64_t{1} << (i % 64);
}

std::int32_t EditPatterns::distance(std::size_t reference,
                                    std::span<const std::uint32_t> hypothesis) const {
  const Pattern& pattern = patterns_[reference];
  if (pattern.length == 0) return static_cast<std::int32_t>(hypothesis.size());
  thread_local std::vector<EditColumn> column;
  column.assign(pattern.blocks, {});
  const int last = (pattern.length - 1) % 64;
  std::int32_t distance = pattern.length;
  for (const std::uint32_t symbol : hypothesis) {
    const std::uint64_t* places =
        symbol == kMissing
            ? nullptr
            : places_.data() + pattern.first + static_cast<std::size_t>(symbol) * pattern.blocks;
    std::uint64_t plus = 1, minus = 0;  // the top row counts the hypothesis' symbols
    for (std::uint32_t b = 0; b < pattern.blocks; ++b) {
      const EditColumn::Step step = column[b].advance(places ? places[b] : 0, plus, minus);
      if (b + 1 == pattern.blocks) {
        distance += static_cast<std::int32_t>(step.plus >> last & 1);
        distance -= static_cast<std::int32_t>(step.minus >> last & 1);
      }
      plus = step.plus >> 63;
      minus = step.minus >> 63;
    }
  }
  return distance;
}

}  // namespace tunesmith::metrics
