#include "lm/count_ngrams.hh"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <new>
#include <utility>

#include "engine/parallel.hh"
#include "lm/model.hh"
#include "lm/ngram_key.hh"

namespace tunesmith::lm {
namespace {

constexpr std::size_t kAhead = 24;

// One multiplication and a fold: keys are pairs of small numbers, all bits must reach the top.
std::uint64_t hash(std::uint64_t key) {
  key = (key ^ (key >> 29)) * 0x9e3779b97f4a7c15ULL;
  return (key ^ (key >> 32)) * 0xd6e8feb86659fd93ULL;
}

// Zeros in large pages: tables that are read at random spend less time on page walks.
template <typename T>
class LargePages {
 public:
  explicit LargePages(std::size_t size) : size_(size) {
    void* place =
        ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (bytes() >= (1 << 22)) ::madvise(place, bytes(), MADV_HUGEPAGE);
#endif
    data_ = static_cast<T*>(place);
  }
  LargePages(LargePages&& other) noexcept
      : size_(other.size_), data_(std::exchange(other.data_, nullptr)) {}
  LargePages(const LargePages&) = delete;
  ~LargePages() {
    if (data_ != nullptr) ::munmap(data_, bytes());
  }
  void swap(LargePages& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(data_, other.data_);
  }

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  std::size_t size_;
  T* data_ = nullptr;
};

// Numbers distinct keys in the order of their first appearance and counts them.
class Numbering {
 public:
  explicit Numbering(std::size_t expected)
      : slots_(std::bit_ceil(std::max<std::size_t>(expected * 2, 64))) {}

  void prefetch(std::uint64_t h) const { __builtin_prefetch(&slots_[place(h)], 1); }

  std::uint32_t add(std::uint64_t key, std::uint64_t h) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = place(h);; i = (i + 1) & mask) {
      Slot& slot = slots_[i];
      if (slot.count == 0) {
        slot = {key, used_, 1};
        if (++used_ * 5ULL > slots_.size() * 3ULL) grow();
        return used_ - 1;
      }
      if (slot.key == key) {
        ++slot.count;
        return slot.id;
      }
    }
  }

  std::uint32_t size() const { return used_; }
  std::uint64_t bytes() const { return slots_.bytes(); }

  template <typename Visit>
  void visit(const Visit& visit) const {
    for (const Slot& slot : slots_)
      if (slot.count != 0) visit(slot.key, slot.id, slot.count);
  }

 private:
  // Empty where the count is 0.
  struct Slot {
    std::uint64_t key;
    std::uint32_t id;
    std::uint32_t count;
  };

  // The top bits choose the part (thread), those behind them the place.
  std::size_t place(std::uint64_t h) const { return (h >> 16) & (slots_.size() - 1); }

  void grow() {
    LargePages<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : old) {
      if (slot.count == 0) continue;
      std::size_t i = place(hash(slot.key));
      while (slots_[i].count != 0) i = (i + 1) & mask;
      slots_[i] = slot;
    }
  }

  LargePages<Slot> slots_;
  std::uint32_t used_ = 0;
};

class Counter {
 public:
  Counter(std::span<const WordId> tokens, int threads, std::uint64_t memory)
      : tokens_(tokens), parts_(std::min(engine::resolve_threads(threads), 64)), memory_(memory) {}

  std::vector<OrderCounts> count(WordId vocabulary_size, int order) {
    std::vector<OrderCounts> out;
    out.push_back(unigrams(vocabulary_size));
    ending_.assign(tokens_.begin(), tokens_.end());
    next_.resize(tokens_.size());
    used_ = 3 * tokens_.size() * sizeof(WordId);
    for (int n = 2; n <= order; ++n) {
      out.push_back(longer(n, out.back().size()));
      used_ += out.back().size() * 17;
      if (memory_ != 0 && used_ > memory_) return {};
    }
    return out;
  }

 private:
  OrderCounts unigrams(WordId vocabulary_size) const {
    OrderCounts out;
    out.context.assign(vocabulary_size, 0);
    out.suffix.assign(vocabulary_size, 0);
    out.count.assign(vocabulary_size, 0);
    out.at_begin.assign(vocabulary_size, false);
    for (WordId word = 0; word < vocabulary_size; ++word) out.word.push_back(word);
    for (const WordId token : tokens_) ++out.count[token];
    out.count[kBegin] = 0;
    out.at_begin[kBegin] = true;
    return out;
  }

  std::uint32_t part_of(std::uint64_t h) const {
    return static_cast<std::uint32_t>((static_cast<unsigned __int128>(h) * parts_) >> 64);
  }

  // The n-grams of `n` words; ending_[i] is the (n−1)-gram that ends at token i, or kNone.
  OrderCounts longer(int n, std::size_t shorter) {
    std::vector<Numbering> numberings;
    std::vector<std::vector<std::uint32_t>> suffixes(parts_);  // by local number
    std::vector<std::vector<bool>> at_begin(parts_);
    std::vector<std::uint8_t> part(parts_ > 1 ? tokens_.size() : 0);
    // Most often an n-gram has more than one continuation, and never more than it has tokens.
    const std::size_t expected = std::min(tokens_.size(), shorter + shorter / 2) / parts_;
    for (int p = 0; p < parts_; ++p) numberings.emplace_back(expected);
    std::atomic<bool> over{false};

    engine::parallel_for(parts_, parts_, [&](std::size_t p) {
      Numbering& numbering = numberings[p];
      struct Pending {
        std::size_t token;
        std::uint64_t key, hash;
      };
      Pending pending[kAhead];
      std::size_t first = 0, last = 0;
      const auto settle = [&](const Pending& it) {
        const std::uint32_t before = numbering.size();
        const std::uint32_t id = numbering.add(it.key, it.hash);
        next_[it.token] = id;
        if (id == before) {
          suffixes[p].push_back(ending_[it.token]);
          at_begin[p].push_back(tokens_[it.token + 1 - n] == kBegin);
        }
      };
      for (std::size_t i = 1; i < tokens_.size(); ++i) {
        const std::uint32_t context = ending_[i - 1];
        if (tokens_[i] == kBegin || context == kNone) {
          if (p == 0) next_[i] = kNone;
          continue;
        }
        const std::uint64_t key = key_of(context, tokens_[i]), h = hash(key);
        if (parts_ > 1) {
          if (part_of(h) != p) continue;
          part[i] = static_cast<std::uint8_t>(p);
        }
        numbering.prefetch(h);
        if (last - first == kAhead) settle(pending[first++ % kAhead]);
        pending[last++ % kAhead] = {i, key, h};
        if ((i & 0xFFFFF) == 0 && memory_ != 0 && used_ + numbering.bytes() * parts_ > memory_)
          over = true;
        if (over) return;
      }
      while (first != last) settle(pending[first++ % kAhead]);
    });
    if (over) {
      used_ = memory_ + 1;
      return {};
    }

    // Local numbers become places in one list.
    std::vector<std::uint32_t> base(parts_ + 1, 0);
    for (int p = 0; p < parts_; ++p) base[p + 1] = base[p] + numberings[p].size();
    OrderCounts out;
    out.context.resize(base.back());
    out.word.resize(base.back());
    out.suffix.resize(base.back());
    out.count.resize(base.back());
    out.at_begin.reserve(base.back());
    for (const auto& flags : at_begin)
      out.at_begin.insert(out.at_begin.end(), flags.begin(), flags.end());
    engine::parallel_for(parts_, parts_, [&](std::size_t p) {
      std::copy(suffixes[p].begin(), suffixes[p].end(), out.suffix.begin() + base[p]);
      numberings[p].visit([&](std::uint64_t key, std::uint32_t id, std::uint32_t count) {
        out.context[base[p] + id] = static_cast<std::uint32_t>(key >> 32);
        out.word[base[p] + id] = static_cast<WordId>(key);
        out.count[base[p] + id] = count;
      });
    });
    if (parts_ > 1)
      for (std::size_t i = 1; i < tokens_.size(); ++i)
        if (next_[i] != kNone) next_[i] += base[part[i]];
    if (!tokens_.empty()) next_[0] = kNone;
    ending_.swap(next_);
    return out;
  }

  std::span<const WordId> tokens_;
  int parts_;
  std::uint64_t memory_;
  std::uint64_t used_ = 0;
  std::vector<std::uint32_t> ending_, next_;
};

}  // namespace

std::vector<OrderCounts> count_ngrams(std::span<const WordId> tokens, WordId vocabulary_size,
                                      int order, int threads, std::uint64_t memory) {
  return Counter(tokens, threads, memory).count(vocabulary_size, order);
}

}  // namespace tunesmith::lm
