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

  // Adds to the weights of these features; no search may be under way.
  void add(const std::vector<std::string>& names, std::span<const double> changes);

  // No feature has a weight.
  bool empty() const { return slots_.empty(); }
  // 0 for a feature that has none.
  double of(std::uint64_t key) const {
    if (slots_.empty()) return 0.0;
    for (std::size_t at = home(key);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].weight;
      if (slots_[at].key == kFree) return 0.0;
    }
  }
  // Looks for all of them at the same time; dot() of some of them comes next.
  void prefetch(std::span<const RuleFeature> features) const {
    if (slots_.empty()) return;
    for (const RuleFeature& feature : features) __builtin_prefetch(&slots_[home(feature.key)]);
  }
  // w · h.
  double dot(std::span<const RuleFeature> features) const {
    double total = 0.0;
    for (const RuleFeature& feature : features) total += of(feature.key) * feature.value;
    return total;
  }

 private:
  // What no name is expected to have as hash.
  static constexpr std::uint64_t kFree = 0;
  struct Slot {
    std::uint64_t key = kFree;
    double weight = 0.0;
  };
  // The place of a key, or the free one where it belongs.
  Slot& slot(std::uint64_t key);
  void make_room(std::size_t more);
  std::size_t home(std::uint64_t key) const {
    return static_cast<std::size_t>((key * 0x9E37'79B9'7F4A'7C15) >> shift_);
  }

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::size_t used_ = 0;
  int shift_ = 0;  // leaves as many bits of a hash as there are places
};

}  // namespace tunesmith::features
