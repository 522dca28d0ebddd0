// The n-grams of references as tries, one per sentence (BLEU) or per reference (chrF). A hypothesis
// is matched by walking: the n-gram that ends here is a child of the (n−1)-gram that ended one
// symbol before. Nothing is hashed, so nothing can collide.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::metrics {

class NgramTries {
 public:
  static constexpr std::uint32_t kMissing = 0xFFFFFFFF;
  static constexpr int kMaxOrder = 64;

  explicit NgramTries(int order) : order_(order) {}

  int order() const { return order_; }

  // Adds a trie of all n-grams of `sequences` up to the order; each counts as often as in the
  // sequence that has most of it. Symbols are numbered from 0 to `symbols` − 1.
  void add(const std::vector<std::vector<std::uint32_t>>& sequences, std::uint32_t symbols);

  // Adds to matches[n − 1] the n-grams of `sequence` that trie number `trie` has too, clipped to
  // its counts. A symbol may be kMissing. `seen` is scratch memory.
  void match(std::uint32_t trie, std::span<const std::uint32_t> sequence, std::int32_t* matches,
             std::vector<std::int32_t>& seen) const;

  // An n-gram: its last symbol, the next n-gram with the same beginning, the first that is longer.
  // Those of length 1 stand first, at the number of their symbol.
  struct Node {
    std::uint32_t symbol;
    std::uint32_t next = kMissing;
    std::uint32_t child = kMissing;
    std::int32_t count = 0;
  };
  static std::uint32_t find_child(const Node* nodes, std::uint32_t parent, std::uint32_t symbol) {
    std::uint32_t node = nodes[parent].child;
    while (node != kMissing && nodes[node].symbol != symbol) node = nodes[node].next;
    return node;
  }
  // The n-grams of a trie, for those who walk by themselves. What a long one begins with stands
  // before it, and what is in a trie is there with all its parts.
  std::span<const Node> trie(std::uint32_t number) const {
    return {nodes_.data() + starts_[number], nodes_.data() + starts_[number + 1]};
  }

 private:
  int order_;
  std::vector<Node> nodes_;
  std::vector<std::uint64_t> starts_ = {0};  // of each trie in nodes_, and the end
};

}  // namespace tunesmith::metrics
