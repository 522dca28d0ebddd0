#include "lm/vocabulary.hh"

#include <bit>

namespace tunesmith::lm {

std::string spelled(std::string_view word) {
  return looks_reserved(word) ? "\\" + std::string(word) : std::string(word);
}

void Vocabulary::encode(std::string_view line, std::vector<WordId>& out) const {
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && is_space(*at)) ++at;
    if (at == end) return;
    const char* const begin = at;
    do ++at;
    while (at != end && !is_space(*at));
    out.push_back(word({begin, static_cast<std::size_t>(at - begin)}));
  }
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
