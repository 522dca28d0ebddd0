#include "base/string_index.hh"

#include "base/array_file.hh"
#include "base/hash.hh"
#include "base/utf8.hh"

namespace tunesmith {

StringIndex::StringIndex() : slots_(64) {}

StringIndex::StringIndex(std::span<const char> bytes, std::span<const std::uint64_t> ends)
    : StringIndex() {
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end < begin || end > bytes.size()) throw Error("string ends out of order");
    const std::uint32_t before = size();
    const std::string_view text(bytes.data() + begin, end - begin);
    if (!is_utf8(text)) throw Error("a string that is not UTF-8");
    if (add(text) != before) throw Error("a string occurs twice");
    begin = end;
  }
  if (begin != bytes.size()) throw Error("bytes after the last string");
}

StringIndex StringIndex::read(const ArrayFile& file, std::string_view bytes,
                              std::string_view ends) {
  try {
    return StringIndex(file.array<char>(bytes), file.array<std::uint64_t>(ends));
  } catch (const InputError&) {
    throw;
  } catch (const Error& error) {
    throw InputError(file.path(), 0, quoted(bytes) + ": " + error.what(), "distinct words",
                     "make it again");
  }
}

std::uint32_t StringIndex::find(std::string_view text) const {
  const std::uint64_t hash = hash_string(text);
  const auto tag = static_cast<std::uint32_t>(hash >> 32);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.id == kMissing) return kMissing;
    if (slot.tag == tag && this->text(slot.id) == text) return slot.id;
  }
}

std::uint32_t StringIndex::add(std::string_view text) {
  const std::uint32_t known = find(text);
  if (known != kMissing) return known;
  if (size() + 1 >= kMissing) throw Error("more than 4,294,967,294 distinct strings");
  if ((size() + 1) * 2ULL > slots_.size()) grow();
  const std::uint64_t hash = hash_string(text);
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  while (slots_[i].id != kMissing) i = (i + 1) & mask;
  slots_[i] = {static_cast<std::uint32_t>(hash >> 32), size()};
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  ends_.push_back(bytes_.size());
  return size() - 1;
}

void StringIndex::grow() {
  std::vector<Slot> larger(slots_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (std::uint32_t id = 0; id < size(); ++id) {
    const std::uint64_t hash = hash_string(text(id));
    std::size_t i = hash & mask;
    while (larger[i].id != kMissing) i = (i + 1) & mask;
    larger[i] = {static_cast<std::uint32_t>(hash >> 32), id};
  }
  slots_.swap(larger);
}

}  // namespace tunesmith
