// Weights of sparse features by the hashes of their names.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "features/scfg/scfg_templates.hh"

namespace tunesmith::features {

class NamedWeights {
 public:
  NamedWeights() = default;
  // Throws OptionError for a weight that is too large or no number, and for two names of one hash.
  NamedWeights(const std::vector<std::string>& names, std::span<const double> values);

  // No weight is other than 0.
  bool empty() const { return slots_.empty(); }
  // 0 for a feature that has none.
  double of(std::uint64_t key) const {
    if (slots_.empty()) return 0.0;
    for (std::size_t at = home(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].weight == 0.0) return 0.0;
      if (slots_[at].key == key) return slots_[at].weight;
    }
  }
  // w · h.
  double dot(std::span<const RuleFeature> features) const {
    double total = 0.0;
    for (const RuleFeature& feature : features) total += of(feature.key) * feature.value;
    return total;
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    double weight = 0.0;  // 0: free
  };
  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15) >> shift_);
  }

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  int shift_ = 0;            // leaves as many bits of a hash as there are places
};

}  // namespace tunesmith::features
