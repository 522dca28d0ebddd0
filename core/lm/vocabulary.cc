#include "lm/vocabulary.hh"

#include <bit>

namespace tunesmith::lm {

std::string spelled(std::string_view word) {
  return looks_reserved(word) ? "\\" + std::string(word) : std::string(word);
}

std::vector<Vocabulary::Slot> vocabulary_slots(std::span<const char> bytes,
                                               std::span<const std::uint64_t> ends) {
  std::vector<Vocabulary::Slot> slots(std::bit_ceil(ends.size() * 2 + 2),
                                      {0, Vocabulary::kMissing});
  const std::size_t mask = slots.size() - 1;
  std::uint64_t begin = 0;
  for (std::size_t id = 0; id < ends.size(); ++id) {
    const std::uint64_t hash = hash_string({bytes.data() + begin, ends[id] - begin});
    begin = ends[id];
    std::size_t i = hash & mask;
    while (slots[i].id != Vocabulary::kMissing) i = (i + 1) & mask;
    slots[i] = {static_cast<std::uint32_t>(hash >> 32), static_cast<WordId>(id)};
  }
  return slots;
}

}  // namespace tunesmith::lm
