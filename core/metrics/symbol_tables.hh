// One small dictionary per sentence: the words (or characters) of its references, numbered from 0.
// A symbol that no reference of the sentence has can match nothing, so it needs no number.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace tunesmith {

class SymbolTables {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  // Adds the table of the next sentence: numbers the distinct symbols of `sequences` in order of
  // first appearance and gives the sequences as numbers. Returns how many there are.
  std::uint32_t add(const std::vector<std::vector<std::string_view>>& sequences,
                    std::vector<std::vector<std::uint32_t>>& numbers);

  std::uint32_t tables() const { return static_cast<std::uint32_t>(tables_.size()); }

  // The number of `symbol` in the table of a sentence, or kMissing.
  std::uint32_t find(std::uint32_t sentence, std::string_view symbol) const {
    const Table& table = tables_[sentence];
    const Key key(symbol);
    for (std::uint64_t i = key.hash();; ++i) {
      const Slot& slot = slots_[table.first + (i & table.mask)];
      if (slot.number == kMissing) return kMissing;
      if (slot.head == key.head && slot.tail == key.tail && slot.size == key.size &&
          (key.size <= 16 || same_text(slot, symbol)))
        return slot.number;
    }
  }

 private:
  // The first and the last bytes of a symbol; up to 16 bytes long they and the size are all of it.
  struct Key {
    explicit Key(std::string_view symbol) : size(static_cast<std::uint32_t>(symbol.size())) {
      const char* p = symbol.data();
      if (size >= 8) {
        std::memcpy(&head, p, 8);
        std::memcpy(&tail, p + size - 8, 8);
      } else if (size >= 4) {
        std::uint32_t a, b;
        std::memcpy(&a, p, 4);
        std::memcpy(&b, p + size - 4, 4);
        head = a;
        tail = b;
      } else if (size > 0) {
        const auto byte = [p](std::uint32_t i) { return static_cast<unsigned char>(p[i]); };
        head = static_cast<std::uint64_t>(byte(0)) << 16 |
               static_cast<std::uint64_t>(byte(size / 2)) << 8 | byte(size - 1);
        tail = 0;
      }
    }
    std::uint64_t hash() const {
      const std::uint64_t a = (head ^ size) * 0x9e3779b97f4a7c15ULL;
      const std::uint64_t b = (tail ^ (a >> 32)) * 0xbf58476d1ce4e5b9ULL;
      return (a ^ b) >> 32;
    }
    std::uint64_t head = 0, tail = 0;
    std::uint32_t size;
  };
  struct Slot {
    std::uint64_t head = 0, tail = 0;
    std::uint32_t size = 0;
    std::uint32_t number = kMissing;
    std::uint64_t text = 0;  // where the symbol stands in texts_, if it is longer than 16 bytes
  };
  struct Table {
    std::uint64_t first;
    std::uint64_t mask;
  };
  bool same_text(const Slot& slot, std::string_view symbol) const {
    return std::memcmp(texts_.data() + slot.text, symbol.data(), symbol.size()) == 0;
  }

  std::vector<Table> tables_;
  std::vector<Slot> slots_;  // open addressing, each table a power of two, at most half full
  std::vector<char> texts_;
};

}  // namespace tunesmith
