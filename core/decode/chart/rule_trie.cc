#include "decode/chart/rule_trie.hh"

#include <algorithm>
#include <utility>

#include "base/hash.hh"

namespace tunesmith::decode {

using grammar::Symbol;

RuleTrie::RuleTrie(const grammar::ScfgRules& rules) : slots_(64), goes_on_(1) {
  std::vector<std::uint32_t> node_of(rules.size());
  for (std::size_t rule = 0; rule < rules.size(); ++rule) {
    const auto source = rules.source_of(rule);
    // Rules with the same source side usually stand together.
    if (rule > 0 && std::ranges::equal(source, rules.source_of(rule - 1))) {
      node_of[rule] = node_of[rule - 1];
      continue;
    }
    std::uint32_t node = kRoot;
    for (const Symbol symbol : source) node = add_child(node, symbol);
    node_of[rule] = node;
  }
  rule_ends_.assign(goes_on_.size(), 0);
  for (const std::uint32_t node : node_of) ++rule_ends_[node];
  std::uint32_t total = 0;
  for (std::uint32_t& end : rule_ends_) total = end = total + end;
  rules_.resize(rules.size());
  std::vector<std::uint32_t> next(rule_ends_.size(), 0);
  for (std::size_t node = 1; node < next.size(); ++node) next[node] = rule_ends_[node - 1];
  for (std::size_t rule = 0; rule < rules.size(); ++rule)
    rules_[next[node_of[rule]]++] = static_cast<std::uint32_t>(rule);
}

std::size_t RuleTrie::find_slot(std::uint32_t node, Symbol symbol) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at =
      mix64(static_cast<std::uint64_t>(node) << 32 | static_cast<std::uint32_t>(symbol)) & mask;
  while (slots_[at].parent != kNoNode && (slots_[at].parent != node || slots_[at].symbol != symbol))
    at = (at + 1) & mask;
  return at;
}

std::uint32_t RuleTrie::child(std::uint32_t node, Symbol symbol) const {
  if (goes_on_[node] == 0) return kNoNode;
  const Slot& slot = slots_[find_slot(node, symbol)];
  return slot.parent == kNoNode ? kNoNode : slot.child;
}

std::uint32_t RuleTrie::add_child(std::uint32_t node, Symbol symbol) {
  std::size_t at = find_slot(node, symbol);
  if (slots_[at].parent != kNoNode) return slots_[at].child;
  if (2 * goes_on_.size() >= slots_.size()) {
    grow();
    at = find_slot(node, symbol);
  }
  const auto child = static_cast<std::uint32_t>(goes_on_.size());
  goes_on_[node] = 1;
  goes_on_.push_back(0);
  slots_[at] = {node, symbol, child};
  return child;
}

void RuleTrie::grow() {
  std::vector<Slot> old(2 * slots_.size());
  std::swap(old, slots_);
  for (const Slot& slot : old)
    if (slot.parent != kNoNode) slots_[find_slot(slot.parent, slot.symbol)] = slot;
}

}  // namespace tunesmith::decode
