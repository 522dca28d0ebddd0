// Which labels become which by rules of one non-terminal and nothing else.
#pragma once

#include <algorithm>
#include <vector>

namespace tunesmith::grammar {

class UnaryRules {
 public:
  // Adds [label] ||| [below,1]. False if the label could then become itself: such a grammar has
  // infinitely many derivations.
  bool add(int label, int below) {
    const auto size = static_cast<std::size_t>(std::max(label, below)) + 1;
    if (below_.size() < size) below_.resize(size);
    std::vector<int>& known = below_[label];
    if (std::ranges::find(known, below) != known.end()) return true;
    known.push_back(below);
    return !reaches(below, label);
  }

 private:
  bool reaches(int from, int wanted) const {
    std::vector<int> waiting{from};
    std::vector<bool> seen(below_.size(), false);
    while (!waiting.empty()) {
      const int label = waiting.back();
      waiting.pop_back();
      if (label == wanted) return true;
      if (seen[label]) continue;
      seen[label] = true;
      waiting.insert(waiting.end(), below_[label].begin(), below_[label].end());
    }
    return false;
  }

  std::vector<std::vector<int>> below_;
};

}  // namespace tunesmith::grammar
