#include "grammar/scfg/rule_counts.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::grammar {

void RuleCounts::clear() {
  const std::size_t mask = slots_.size() - 1;
  for (const RuleCount& rule : rules_) {
    // Its slot is on the way from its hash; all on the way belong to rules that go too.
    for (std::size_t i = rule.hash & mask; slots_[i] != kEmpty; i = (i + 1) & mask)
      slots_[i] = kEmpty;
  }
  places_ = {};
  rules_.clear();
  origins_.clear();
  symbols_.clear();
  link_counts_.clear();
  links_.clear();
}

RuleCount& RuleCounts::find(int side, std::span<const Symbol> target) {
  if (2 * (rules_.size() + 1) > slots_.size()) grow();
  const std::uint64_t hash =
      hash_bytes(target.data(), target.size_bytes(), static_cast<std::uint64_t>(side));
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = hash & mask;
  for (; slots_[i] != kEmpty; i = (i + 1) & mask) {
    RuleCount& rule = rules_[slots_[i]];
    if (rule.hash == hash && rule.side == side && std::ranges::equal(this->target(rule), target))
      return rule;
  }
  slots_[i] = static_cast<std::uint32_t>(rules_.size());
  RuleCount rule;
  rule.side = static_cast<std::uint8_t>(side);
  rule.hash = hash;
  rule.target_begin = static_cast<std::uint32_t>(symbols_.size());
  symbols_.insert(symbols_.end(), target.begin(), target.end());
  rule.target_end = static_cast<std::uint32_t>(symbols_.size());
  origins_.resize(origins_.size() + corpora_);
  return rules_.emplace_back(rule);
}

void RuleCounts::grow() {
  slots_.assign(slots_.size() * 2, kEmpty);
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    std::size_t i = rules_[r].hash & mask;
    while (slots_[i] != kEmpty) i = (i + 1) & mask;
    slots_[i] = static_cast<std::uint32_t>(r);
  }
}

void RuleCounts::add(bool lead, bool trail, std::span<const Symbol> target,
                     std::span<const std::uint16_t> links) {
  RuleCount& rule = find(side_of(lead, trail), target);
  ++rule.count;
  if (corpora_ > 0)
    ++origins_[static_cast<std::size_t>(&rule - rules_.data()) * corpora_ + origin_];
  std::int32_t* next = &rule.links;
  while (*next >= 0) {
    LinkCount& known = link_counts_[*next];
    if (std::ranges::equal(std::span(links_).subspan(known.begin, known.end - known.begin),
                           links)) {
      ++known.count;
      return;
    }
    next = &known.next;
  }
  *next = static_cast<std::int32_t>(link_counts_.size());
  const auto begin = static_cast<std::uint32_t>(links_.size());
  links_.insert(links_.end(), links.begin(), links.end());
  link_counts_.push_back({begin, static_cast<std::uint32_t>(links_.size()), 1, -1});
}

std::span<const std::uint16_t> RuleCounts::links(const RuleCount& rule) const {
  const LinkCount* best = &link_counts_[rule.links];
  for (std::int32_t i = best->next; i >= 0; i = link_counts_[i].next)
    if (link_counts_[i].count > best->count) best = &link_counts_[i];
  return std::span(links_).subspan(best->begin, best->end - best->begin);
}

}  // namespace tunesmith::grammar
