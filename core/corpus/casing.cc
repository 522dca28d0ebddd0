#include "corpus/casing.hh"

#include "base/error.hh"

namespace tunesmith::corpus {

namespace {

// Calls visit(position, at_start) for every word.
template <typename Visit>
void walk(std::span<const std::uint64_t> offsets, std::span<const std::uint32_t> ids,
          std::span<const std::uint8_t> kinds, const Visit& visit) {
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    if (offsets[i] > offsets[i + 1] || offsets[i + 1] > ids.size())
      throw Error("sentence offsets out of order");
    bool at_start = true;
    for (std::uint64_t position = offsets[i]; position < offsets[i + 1]; ++position) {
      if (ids[position] >= kinds.size()) throw Error("a word id outside the vocabulary");
      visit(position, at_start);
      const auto kind = static_cast<CasingRole>(kinds[ids[position]]);
      if (kind == CasingRole::kEnd)
        at_start = true;
      else if (kind != CasingRole::kOpening)
        at_start = false;
    }
  }
}

}  // namespace

std::vector<std::uint64_t> count_inside(std::span<const std::uint64_t> offsets,
                                        std::span<const std::uint32_t> ids,
                                        std::span<const std::uint8_t> kinds) {
  std::vector<std::uint64_t> counts(kinds.size());
  walk(offsets, ids, kinds, [&](std::uint64_t position, bool at_start) {
    if (!at_start) ++counts[ids[position]];
  });
  return counts;
}

std::vector<std::uint32_t> replace_words(std::span<const std::uint64_t> offsets,
                                         std::span<const std::uint32_t> ids,
                                         std::span<const std::uint8_t> kinds,
                                         std::span<const std::uint32_t> at_start_words,
                                         std::span<const std::uint32_t> inside_words) {
  if (at_start_words.size() != kinds.size() || inside_words.size() != kinds.size())
    throw Error("replacements that do not fit the vocabulary");
  std::vector<std::uint32_t> replaced(ids.size());
  walk(offsets, ids, kinds, [&](std::uint64_t position, bool at_start) {
    replaced[position] = (at_start ? at_start_words : inside_words)[ids[position]];
  });
  return replaced;
}

}  // namespace tunesmith::corpus
