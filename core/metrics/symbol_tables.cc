#include "metrics/symbol_tables.hh"

namespace tunesmith::metrics {

std::uint32_t SymbolTables::add(const std::vector<std::vector<std::string_view>>& sequences,
                                std::vector<std::vector<std::uint32_t>>& numbers) {
  std::size_t symbols = 0;
  for (const auto& sequence : sequences) symbols += sequence.size();
  const std::uint64_t capacity = std::bit_ceil(2 * symbols + 2);
  const Table table{slots_.size(), capacity - 1};
  slots_.resize(slots_.size() + capacity);

  std::uint32_t count = 0;
  numbers.assign(sequences.size(), {});
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    numbers[s].reserve(sequences[s].size());
    for (std::string_view symbol : sequences[s]) {
      const Key key(symbol, symbol.data() + symbol.size());
      for (std::uint64_t i = key.hash();; ++i) {
        Slot& slot = slots_[table.first + (i & table.mask)];
        if (slot.number == kMissing) {
          slot = {key.head, key.tail, key.size, count++, texts_.size()};
          if (key.size > 16) texts_.insert(texts_.end(), symbol.begin(), symbol.end());
        } else if (slot.head != key.head || slot.tail != key.tail || slot.size != key.size ||
                   (key.size > 16 && !same_text(slot, symbol))) {
          continue;
        }
        numbers[s].push_back(slot.number);
        break;
      }
    }
  }
  tables_.push_back(table);
  return count;
}

}  // namespace tunesmith::metrics
