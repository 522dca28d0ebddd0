#include "metrics/list_ngrams.hh"

#include <algorithm>

namespace tunesmith::metrics {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;
constexpr std::size_t kFirstSlots = 1024;

std::size_t place_of(std::uint64_t key, std::size_t slots) {
  return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> 32) & (slots - 1);
}

}  // namespace

void ListNgrams::set(const std::vector<std::vector<std::uint32_t>>& texts) {
  length_.clear();
  entries_.clear();
  begins_.assign(1, 0);
  slots_.assign(std::max(slots_.size(), kFirstSlots), {0, kNone});
  std::vector<std::uint32_t> count, here;
  for (const std::vector<std::uint32_t>& text : texts) {
    here.assign(text.size(), kNone);  // the n-gram that starts at each position
    for (int n = 0; n < order_ && static_cast<std::size_t>(n) < text.size(); ++n) {
      for (std::size_t at = 0; at + n < text.size(); ++at) {
        const std::uint32_t ngram = here[at] = child(here[at], text[at + n], n);
        if (ngram >= count.size()) count.resize(length_.size(), 0);
        if (count[ngram]++ == 0) entries_.push_back({ngram, 0});
      }
    }
    for (std::size_t e = begins_.back(); e < entries_.size(); ++e) {
      entries_[e].count = count[entries_[e].ngram];
      count[entries_[e].ngram] = 0;
    }
    begins_.push_back(entries_.size());
  }
  heads_.assign(length_.size() + 1, 0);
  for (const Entry& entry : entries_) ++heads_[entry.ngram + 1ULL];
  for (std::size_t g = 0; g < length_.size(); ++g) heads_[g + 1] += heads_[g];
  postings_.resize(entries_.size());
  std::vector<std::size_t> next(heads_.begin(), heads_.end() - 1);
  for (std::size_t t = 0; t < texts.size(); ++t)
    for (const Entry& entry : of_text(t))
      postings_[next[entry.ngram]++] = {static_cast<std::uint32_t>(t), entry.count};
}

std::uint32_t ListNgrams::child(std::uint32_t parent, std::uint32_t symbol, int length) {
  if (2 * (length_.size() + 1) > slots_.size()) grow();
  const std::uint64_t key = (static_cast<std::uint64_t>(parent) << 32) | symbol;
  for (std::size_t i = place_of(key, slots_.size());; i = (i + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[i];
    if (slot.ngram == kNone) {
      slot = {key, static_cast<std::uint32_t>(length_.size())};
      length_.push_back(static_cast<std::uint8_t>(length));
      return slot.ngram;
    }
    if (slot.key == key) return slot.ngram;
  }
}

void ListNgrams::grow() {
  std::vector<Slot> old(2 * slots_.size(), Slot{0, kNone});
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.ngram == kNone) continue;
    std::size_t i = place_of(slot.key, slots_.size());
    while (slots_[i].ngram != kNone) i = (i + 1) & (slots_.size() - 1);
    slots_[i] = slot;
  }
}

}  // namespace tunesmith::metrics
