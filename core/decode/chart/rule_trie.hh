// The rules of a grammar by the symbols of their source sides, one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/scfg/scfg_rules.hh"

namespace tunesmith::decode {

class RuleTrie {
 public:
  static constexpr std::uint32_t kRoot = 0;
  static constexpr std::uint32_t kNoNode = 0xFFFFFFFF;

  explicit RuleTrie(const grammar::ScfgRules& rules);

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(rule_ends_.size()); }
  // The node behind `node` by a symbol of the source side, or kNoNode.
  std::uint32_t child(std::uint32_t node, grammar::Symbol symbol) const;
  // The rules whose source side ends at the node.
  std::span<const std::uint32_t> rules(std::uint32_t node) const {
    const std::uint32_t begin = node == 0 ? 0 : rule_ends_[node - 1];
    return std::span(rules_).subspan(begin, rule_ends_[node] - begin);
  }
  // Whether any rule goes on behind the node.
  bool goes_on(std::uint32_t node) const { return goes_on_[node] != 0; }

 private:
  struct Slot {
    std::uint32_t parent = kNoNode;
    grammar::Symbol symbol = 0;
    std::uint32_t child = 0;
  };
  std::uint32_t add_child(std::uint32_t node, grammar::Symbol symbol);
  std::size_t find_slot(std::uint32_t node, grammar::Symbol symbol) const;
  void grow();

  std::vector<Slot> slots_;  // open addressing, a power of two, at most half full
  std::vector<std::uint8_t> goes_on_;
  std::vector<std::uint32_t> rule_ends_, rules_;
};

}  // namespace tunesmith::decode
