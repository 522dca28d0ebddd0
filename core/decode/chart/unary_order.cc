#include "decode/chart/unary_order.hh"

#include <algorithm>

namespace tunesmith::decode {

std::vector<std::int32_t> unary_order(const ChartGrammar& grammar) {
  std::vector<std::vector<std::int32_t>> above(grammar.labels);
  for (std::int32_t label = 0; label < grammar.labels; ++label) {
    const std::uint32_t node = grammar.trie.child(RuleTrie::kRoot, grammar::nonterminal(label));
    if (node == RuleTrie::kNoNode) continue;
    for (const std::uint32_t rule : grammar.trie.rules(node))
      above[label].push_back(grammar.rules.labels[rule]);
  }
  std::vector<std::int32_t> order;
  std::vector<std::uint8_t> seen(grammar.labels, 0);
  const auto visit = [&](const auto& self, std::int32_t label) -> void {
    if (seen[label] != 0) return;
    seen[label] = 1;
    for (const std::int32_t next : above[label]) self(self, next);
    order.push_back(label);
  };
  for (std::int32_t label = 0; label < grammar.labels; ++label) visit(visit, label);
  std::ranges::reverse(order);
  return order;
}

}  // namespace tunesmith::decode
