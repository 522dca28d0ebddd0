// One small dictionary per sentence: the words (or characters) of its references, numbered from 0.
// A symbol that no reference of the sentence has can match nothing, so it needs no number.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace tunesmith::metrics {

class SymbolTables {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;

  // Adds the table of the next sentence: numbers the distinct symbols of `sequences` in order of
  // first appearance and gives the sequences as numbers. Returns how many there are.
  std::uint32_t add(const std::vector<std::vector<std::string_view>>& sequences,
                    std::vector<std::vector<std::uint32_t>>& numbers);

  std::uint32_t tables() const { return static_cast<std::uint32_t>(tables_.size()); }

  // The number of `symbol` in the table of a sentence, or kMissing. The memory from the symbol's
  // start up to `readable_end` may be read, which is faster than to stop at the symbol's end.
  std::uint32_t find(std::uint32_t sentence, std::string_view symbol,
                     const char* readable_end) const {
    const Table& table = tables_[sentence];
    const Key key(symbol, readable_end);
    for (std::uint64_t i = key.hash();; ++i) {
      const Slot& slot = slots_[table.first + (i & table.mask)];
      if (slot.number == kMissing) return kMissing;
      if (slot.head == key.head && slot.tail == key.tail && slot.size == key.size &&
          (key.size <= 16 || same_text(slot, symbol)))
        return slot.number;
    }
  }

  // All symbols of a text, which they point into.
  void find_all(std::uint32_t sentence, const std::vector<std::string_view>& symbols,
                std::string_view text, std::vector<std::uint32_t>& numbers) const {
    const char* end = text.data() + text.size();
    numbers.resize(symbols.size());
    for (std::size_t i = 0; i < symbols.size(); ++i) numbers[i] = find(sentence, symbols[i], end);
  }

 private:
  // The first eight bytes of a symbol and, if it has more, the last eight; up to 16 bytes long they
  // and the size are all of it.
  struct Key {
    Key(std::string_view symbol, const char* readable_end)
        : size(static_cast<std::uint32_t>(symbol.size())) {
      const char* p = symbol.data();
      if (size >= 8) {
        std::memcpy(&head, p, 8);
        if (size > 8) std::memcpy(&tail, p + size - 8, 8);
      } else if (std::endian::native == std::endian::little && readable_end - p >= 8) {
        std::memcpy(&head, p, 8);
        head &= (std::uint64_t{1} << (8 * size)) - 1;
      } else {
        std::memcpy(&head, p, size);
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

}  // namespace tunesmith::metrics
