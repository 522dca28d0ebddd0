#include "metrics/ngram_tries.hh"

#include <algorithm>

namespace tunesmith::metrics {

void NgramTries::add(const std::vector<std::vector<std::uint32_t>>& sequences,
                     std::uint32_t symbols) {
  std::vector<Node> nodes(symbols);
  for (std::uint32_t s = 0; s < symbols; ++s) nodes[s].symbol = s;
  std::vector<std::int32_t> counts;
  for (const auto& sequence : sequences) {
    counts.assign(nodes.size(), 0);
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      std::uint32_t node = sequence[i];
      ++counts[node];
      const std::size_t end = std::min(sequence.size(), i + static_cast<std::size_t>(order_));
      for (std::size_t j = i + 1; j < end; ++j) {
        std::uint32_t child = find_child(nodes.data(), node, sequence[j]);
        if (child == kMissing) {
          child = static_cast<std::uint32_t>(nodes.size());
          nodes.push_back({sequence[j], nodes[node].child});
          nodes[node].child = child;
          counts.push_back(0);
        }
        node = child;
        ++counts[node];
      }
    }
    for (std::size_t n = 0; n < nodes.size(); ++n)
      nodes[n].count = std::max(nodes[n].count, counts[n]);
  }
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
  starts_.push_back(nodes_.size());
}

void NgramTries::match(std::uint32_t trie, std::span<const std::uint32_t> sequence,
                       std::int32_t* matches, std::vector<std::int32_t>& seen) const {
  const Node* nodes = nodes_.data() + starts_[trie];
  seen.assign(starts_[trie + 1] - starts_[trie], 0);
  // ending[n]: the n-gram of length n + 1 that ends at the symbol before. If a long one is in the
  // trie, so are its suffixes: the first `alive` are there.
  std::uint32_t ending[kMaxOrder];
  int alive = 0;
  for (const std::uint32_t symbol : sequence) {
    if (symbol == kMissing) {
      alive = 0;
      continue;
    }
    int now = 1;
    for (int n = std::min(alive, order_ - 1); n > 0; --n) {
      const std::uint32_t node = find_child(nodes, ending[n - 1], symbol);
      if (node == kMissing) continue;
      ending[n] = node;
      now = std::max(now, n + 1);
      if (seen[node]++ < nodes[node].count) ++matches[n];
    }
    ending[0] = symbol;
    if (seen[symbol]++ < nodes[symbol].count) ++matches[0];
    alive = now;
  }
}

}  // namespace tunesmith::metrics
