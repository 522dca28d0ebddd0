// The n-grams of the texts of a list: numbered, counted in each text, and where each occurs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::metrics {

// Memory grows with the words of the list. One object may be set again and again.
class ListNgrams {
 public:
  struct Entry {
    std::uint32_t ngram, count;
  };
  struct Posting {
    std::uint32_t text, count;
  };

  explicit ListNgrams(int order) : order_(order) {}

  // Texts as numbers of symbols.
  void set(const std::vector<std::vector<std::uint32_t>>& texts);

  int order() const { return order_; }
  std::size_t size() const { return length_.size(); }
  // The length of an n-gram, less 1.
  std::uint8_t length(std::uint32_t ngram) const { return length_[ngram]; }
  // The distinct n-grams of a text.
  std::span<const Entry> of_text(std::size_t text) const {
    return std::span(entries_).subspan(begins_[text], begins_[text + 1] - begins_[text]);
  }
  // The texts that have an n-gram, in rising order.
  std::span<const Posting> texts_with(std::uint32_t ngram) const {
    return std::span(postings_).subspan(heads_[ngram], heads_[ngram + 1] - heads_[ngram]);
  }

 private:
  std::uint32_t child(std::uint32_t parent, std::uint32_t symbol, int length);
  void grow();

  int order_;
  std::vector<std::uint8_t> length_;  // per n-gram
  std::vector<Entry> entries_;
  std::vector<std::size_t> begins_;  // per text, and the end
  std::vector<Posting> postings_;
  std::vector<std::size_t> heads_;  // per n-gram, and the end
  // Open addressing: (beginning of the n-gram, last symbol) → n-gram; at most half full.
  struct Slot {
    std::uint64_t key;
    std::uint32_t ngram;
  };
  std::vector<Slot> slots_;
};

}  // namespace tunesmith::metrics
