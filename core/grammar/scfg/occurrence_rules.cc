#include "grammar/scfg/occurrence_rules.hh"

#include <algorithm>

#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

PatternShape::PatternShape(std::span<const Symbol> symbols) {
  for (const Symbol symbol : symbols)
    if (is_nonterminal(symbol))
      ++gaps;
    else
      ++parts[gaps];
}

void OccurrenceRules::extract(const PatternShape& shape, const Occurrence& place, Sides wanted,
                              RuleCounts& out) {
  out.from(index_.origin_of(index_.sentence_of(place.begin)));
  if (!open(shape, place)) {
    if (options_.deletions && shape.single() && (wanted & side_bit(false, false)) != 0) {
      out.note(false, false);
      out.add(false, false, {}, {});
    }
    return;
  }
  if (!inner_gaps()) return;
  core_ = {};
  for (int i = first_; i < end_; ++i) include(i, core_);
  if ((wanted & (side_bit(true, false) | side_bit(true, true))) != 0) leading_gaps();
  if ((wanted & (side_bit(false, true) | side_bit(true, true))) != 0) trailing_gaps();
  for (const bool lead : {false, true})
    for (const bool trail : {false, true})
      if ((wanted & side_bit(lead, trail)) != 0) one_side(lead, trail, out);
}

bool OccurrenceRules::open(const PatternShape& shape, const Occurrence& place) {
  const std::size_t s = index_.sentence_of(place.begin);
  begin_ = index_.source().begins[s];
  source_links_ = index_.source_links(s);
  source_size_ = static_cast<int>(source_links_.size());
  if (place.begin < begin_) refuse();
  first_ = static_cast<int>(place.begin - begin_);
  part_count_ = shape.gaps + 1;
  const std::array<int, kMaxNonterminals + 1> offsets{0, place.second, place.third};
  end_ = first_;
  bool any = false;
  for (int part = 0; part < part_count_; ++part) {
    const int begin = first_ + offsets[part], end = begin + shape.parts[part];
    if (begin < end_ || (part > 0 && begin == end_) || end > source_size_) refuse();
    if (options_.tight && part > 0 && (!linked(end_) || !linked(begin - 1))) return false;
    for (int i = begin; i < end; ++i) any = any || linked(i);
    parts_[part] = {begin, end};
    end_ = end;
  }
  if (!any) return false;
  target_links_ = index_.target_links(s);
  target_ = index_.target().sentence(s);
  target_size_ = static_cast<int>(target_.size());
  return true;
}

void OccurrenceRules::include(int source, Projection& projection) const {
  const LinkRange targets = source_links_[source];
  if (targets.empty()) return;
  const int low = targets.first, high = targets.last;
  if (high >= target_size_) refuse();
  const auto seen = [&](int target) {
    const LinkRange range = target_links_[target];
    if (range.empty()) return;
    if (range.last >= source_size_) refuse();
    projection.back_low = std::min<int>(projection.back_low, range.first);
    projection.back_high = std::max<int>(projection.back_high, range.last);
  };
  if (!projection.linked()) {
    projection.low = low;
    projection.high = low - 1;
  }
  while (projection.low > low) seen(--projection.low);
  while (projection.high < high) seen(++projection.high);
}

bool OccurrenceRules::inner_gaps() {
  inner_.clear();
  for (int i = 0; i + 1 < part_count_; ++i) {
    const int begin = parts_[i].end, end = parts_[i + 1].begin;
    Projection gap;
    for (int j = begin; j < end; ++j) include(j, gap);
    if (!gap.linked() || gap.back_low < begin || gap.back_high >= end) return false;
    inner_.push_back({begin, end, gap.low, gap.high});
  }
  return true;
}

// A gap that is linked back to the pattern is no phrase however long it grows.
void OccurrenceRules::leading_gaps() {
  leads_.clear();
  const int lowest = std::max(0, end_ - options_.max_span);
  if (first_ == 0 || (options_.tight && !linked(first_ - 1))) return;
  Projection gap;
  for (int begin = first_ - 1; begin >= lowest && gap.back_high < first_; --begin) {
    include(begin, gap);
    if (first_ - begin >= options_.min_gap && gap.linked() && gap.back_low >= begin &&
        gap.back_high < first_ && (!options_.tight || linked(begin)))
      leads_.push_back({begin, first_, gap.low, gap.high});
  }
}

void OccurrenceRules::trailing_gaps() {
  trails_.clear();
  const int highest = std::min(source_size_, first_ + options_.max_span);
  if (end_ == source_size_ || (options_.tight && !linked(end_))) return;
  Projection gap;
  for (int end = end_ + 1; end <= highest && gap.back_low >= end_; ++end) {
    include(end - 1, gap);
    if (end - end_ >= options_.min_gap && gap.linked() && gap.back_low >= end_ &&
        gap.back_high < end && (!options_.tight || linked(end - 1)))
      trails_.push_back({end_, end, gap.low, gap.high});
  }
}

void OccurrenceRules::one_side(bool lead, bool trail, RuleCounts& out) {
  if (options_.tight && ((!lead && !linked(first_)) || (!trail && !linked(end_ - 1)))) return;
  // Starting with the shortest gaps, each grows only as far as the other and the words demand: if
  // two choices are phrases, so is what they have in common, hence there is a shortest choice.
  std::size_t l = 0, t = 0;
  Projection whole = core_;
  int begin = first_, end = end_;
  for (bool grown = true; grown;) {
    if ((lead && l == leads_.size()) || (trail && t == trails_.size())) return;
    const int new_begin = lead ? leads_[l].begin : first_, new_end = trail ? trails_[t].end : end_;
    if (new_end - new_begin > options_.max_span) return;
    while (begin > new_begin) include(--begin, whole);
    while (end < new_end) include(end++, whole);
    if (whole.high - whole.low >= options_.max_target_span) return;
    grown = false;
    if (whole.back_low < begin) {
      if (!lead) return;
      while (l < leads_.size() && leads_[l].begin > whole.back_low) ++l;
      grown = true;
    }
    if (whole.back_high >= end) {
      if (!trail) return;
      while (t < trails_.size() && trails_[t].end <= whole.back_high) ++t;
      grown = true;
    }
  }
  std::array<Gap, kMaxNonterminals> gaps;
  std::size_t count = 0;
  const auto add = [&](const Gap& gap) {
    if (count == gaps.size()) refuse();
    gaps[count++] = gap;
  };
  if (lead) add(leads_[l]);
  for (const Gap& gap : inner_) add(gap);
  if (trail) add(trails_[t]);
  out.note(lead, trail);
  const std::span<const Gap> used(gaps.data(), count);
  if (options_.tight) {
    write(lead, trail, used, whole.low, whole.high, out);
    return;
  }
  const auto free = [&](int target) {
    return target >= 0 && target < target_size_ && target_links_[target].empty();
  };
  for (int low = whole.low; low == whole.low || free(low); --low)
    for (int high = whole.high; high == whole.high || free(high); ++high) {
      if (high - low >= options_.max_target_span) break;
      write(lead, trail, used, low, high, out);
    }
}

void OccurrenceRules::write(bool lead, bool trail, std::span<const Gap> gaps, int low, int high,
                            RuleCounts& out) {
  symbols_.clear();
  rule_links_.clear();
  symbol_of_.assign(static_cast<std::size_t>(high - low + 1), 0);
  for (int target = low; target <= high; ++target) {
    const auto gap =
        std::find_if(gaps.begin(), gaps.end(), [&](const Gap& g) { return g.low == target; });
    symbol_of_[target - low] = static_cast<std::uint8_t>(symbols_.size());
    if (gap != gaps.end()) {
      symbols_.push_back(nonterminal(static_cast<int>(gap - gaps.begin())));
      target = gap->high;
    } else {
      symbols_.push_back(static_cast<Symbol>(target_[target]) - 1);
    }
  }
  int symbol = lead ? 1 : 0;
  for (int part = 0; part < part_count_; ++part, ++symbol)
    for (int i = parts_[part].begin; i < parts_[part].end; ++i, ++symbol)
      for (const std::uint16_t target : index_.links_of(begin_ + static_cast<std::uint32_t>(i))) {
        if (target < low || target > high) refuse();
        rule_links_.push_back(pack_link(symbol, symbol_of_[target - low]));
      }
  out.add(lead, trail, symbols_, rule_links_);
}

}  // namespace tunesmith::grammar
