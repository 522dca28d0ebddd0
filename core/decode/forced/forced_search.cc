#include "decode/forced/forced_search.hh"

#include <algorithm>
#include <cstdlib>

#include "base/clock.hh"
#include "base/hash.hh"
#include "decode/phrase/phrase_options.hh"

namespace tunesmith::decode {
namespace {

constexpr std::uint32_t kEmptySlot = 0xFFFFFFFF;

std::uint64_t hash_of(const GoldNode& node) {
  return hash_combine(static_cast<std::uint64_t>(node.coverage.gap) << 32 |
                          static_cast<std::uint64_t>(node.last_end) << 16,
                      hash_combine(node.coverage.ahead, node.target));
}

bool same(const GoldNode& a, const GoldNode& b) {
  return a.coverage == b.coverage && a.target == b.target && a.last_end == b.last_end;
}

}  // namespace

ForcedSearch::ForcedSearch(const PhraseModel& model, const ForcedOptions& options)
    : model_(model), options_(options), first_at_(model.tables()), next_at_(model.tables()) {
  for (int t = 0; t < model.tables(); ++t)
    first_at_[t].assign(model.table(t).target_vocabulary().size(), 0);
}

const GoldLattice& ForcedSearch::run(const TrainingPair& pair) {
  return run(pair, RuleFilter(options_.leave_out, model_, pair));
}

const GoldLattice& ForcedSearch::run(const TrainingPair& pair, const RuleFilter& filter,
                                     PrefixPair prefix) {
  const bool given = prefix.source > 0;
  if (prefix.source > pair.source.size() || prefix.target > pair.target.size())
    throw OptionError("a prefix longer than its pair");
  lattice_ = {};
  words_ = static_cast<int>(given ? prefix.source : pair.source.size());
  target_size_ = static_cast<int>(given ? prefix.target : pair.target.size());
  if (words_ == 0 || target_size_ == 0) return lattice_;
  if (words_ > options_.max_words || words_ >= 0xFFFF || target_size_ >= 0xFFFF) {
    lattice_.stopped = ForcedStop::kLength;
    return lattice_;
  }
  match_rules(pair, filter);
  int limit = options_.distortion_limit;
  if (limit < 0 || limit > Coverage::kMaxReach) limit = Coverage::kMaxReach;
  if (!explore(limit)) return lattice_;
  const auto goals = choose_goal(!given);
  if (given) {
    lattice_.whole = false;
  } else if (!lattice_.whole) {
    if (options_.list_prefixes) list_prefixes();
    if (options_.dead_ends && !goals.empty()) {
      // Those of the prefix pair alone: others lead outside.
      auto prefixes = std::move(lattice_.prefixes);
      run(pair, filter,
          {static_cast<std::uint32_t>(lattice_.source_words),
           static_cast<std::uint32_t>(lattice_.target_words)});
      lattice_.prefixes = std::move(prefixes);
      return lattice_;
    }
  }
  keep_what_leads_to(goals);
  return lattice_;
}

void ForcedSearch::match_rule(int table, std::uint64_t rule, int begin, int end,
                              const RuleFilter& filter) {
  const auto words = model_.table(table).target(rule);
  const auto size = static_cast<std::uint32_t>(words.size());
  places_.clear();
  if (size == 0)
    for (int at = 0; at <= target_size_; ++at) places_.push_back(at);
  // Words of the reference in the table's ids: chains of equal words from the last to the first.
  const auto& next = next_at_[table];
  for (std::uint32_t p = size == 0 ? 0 : first_at_[table][words[0]]; p != 0;
       p = next[2 * (p - 1)]) {
    const std::uint32_t at = p - 1;
    if (at + size > static_cast<std::uint32_t>(target_size_)) continue;
    bool equal = true;
    for (std::uint32_t k = 1; equal && k < size; ++k) equal = next[2 * (at + k) + 1] == words[k];
    if (equal) places_.push_back(at);
  }
  if (places_.empty()) return;
  // In joined tables a pair is a rule of the first that has it and does not leave it out.
  const TableGroup group = model_.group_of(table);
  Match match;
  for (int t = group.begin; t < group.end; ++t) {
    if (t == table) continue;
    if (filter.leaves_out_twin(table, rule, t))
      match.without |= static_cast<std::uint16_t>(1 << (t - group.begin));
    else if (t < table && model_.twin(table, rule, t) != grammar::kNoRule)
      return;
  }
  match.rule = static_cast<std::uint32_t>(rule);
  match.begin = static_cast<std::uint16_t>(begin);
  match.end = static_cast<std::uint16_t>(end);
  match.target_size = static_cast<std::uint16_t>(size);
  match.table = static_cast<std::uint16_t>(table);
  for (const std::uint32_t at : places_) {
    match.target = at;
    matches_.push_back(match);
  }
}

void ForcedSearch::match_rules(const TrainingPair& pair, const RuleFilter& filter) {
  matches_.clear();
  std::vector<bool> known(words_, false);
  std::vector<std::uint32_t> ids(words_);
  for (int t = 0; t < model_.tables(); ++t) {
    const grammar::PhraseTable& table = model_.table(t);
    auto& next = next_at_[t];
    auto& first = first_at_[t];
    next.assign(2 * static_cast<std::size_t>(target_size_), 0);
    for (int at = 0; at < target_size_; ++at) {
      const std::uint32_t id = table.target_vocabulary().find(pair.target[at]);
      next[2 * at + 1] = id;
      if (id == StringIndex::kMissing) continue;
      next[2 * at] = first[id];
      first[id] = static_cast<std::uint32_t>(at) + 1;
    }
    for (int i = 0; i < words_; ++i) ids[i] = table.source_vocabulary().find(pair.source[i]);
    for (int begin = 0; begin < words_; ++begin) {
      std::uint64_t key = grammar::kEmptyPhrase;
      for (int end = begin + 1; end <= std::min(words_, begin + kMaxPhraseLength); ++end) {
        if (ids[end - 1] == StringIndex::kMissing) break;
        key = grammar::extend_phrase(key, ids[end - 1]);
        const grammar::RuleRange range = table.find(key);
        for (std::uint64_t rule = range.begin; rule < range.end; ++rule) {
          if (filter.leaves_out(t, key, rule)) continue;
          if (end == begin + 1) known[begin] = true;
          match_rule(t, rule, begin, end, filter);
        }
      }
    }
    for (int at = 0; at < target_size_; ++at)
      if (next[2 * at + 1] != StringIndex::kMissing) first[next[2 * at + 1]] = 0;
  }
  unknown_ = unknown_words(model_, std::span(pair.source).first(words_));
  const auto ends = unknown_run_ends(unknown_, SourceSentence{});
  for (int begin = 0, end = 0; begin < words_; begin = end) {
    end = ends[begin];
    if (known[begin]) continue;
    const auto copy =
        std::span(pair.source).subspan(begin, options_.drop_unknown ? 0 : end - begin);
    for (int at = 0; at + static_cast<int>(copy.size()) <= target_size_; ++at) {
      if (!std::equal(copy.begin(), copy.end(), pair.target.begin() + at)) continue;
      Match match;
      match.target = at;
      match.begin = static_cast<std::uint16_t>(begin);
      match.end = static_cast<std::uint16_t>(end);
      match.target_size = static_cast<std::uint16_t>(copy.size());
      matches_.push_back(match);
    }
  }
  const auto cell = [&](const Match& match) {
    return static_cast<std::uint64_t>(match.begin) * (target_size_ + 1) + match.target;
  };
  std::stable_sort(matches_.begin(), matches_.end(), [&](const Match& a, const Match& b) {
    return cell(a) != cell(b) ? cell(a) < cell(b) : a.end < b.end;
  });
  match_begin_.assign(static_cast<std::size_t>(words_) * (target_size_ + 1) + 1, 0);
  for (const Match& match : matches_) ++match_begin_[cell(match) + 1];
  for (std::size_t i = 1; i < match_begin_.size(); ++i) match_begin_[i] += match_begin_[i - 1];
}

std::uint32_t ForcedSearch::find_or_add(const GoldNode& node) {
  if (2 * (nodes_.size() + 1) > slots_.size()) {
    std::size_t size = std::max<std::size_t>(256, 2 * slots_.size());
    slots_.assign(size, kEmptySlot);
    for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
      std::size_t at = hash_of(nodes_[i]) & (size - 1);
      while (slots_[at] != kEmptySlot) at = (at + 1) & (size - 1);
      slots_[at] = i;
    }
  }
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash_of(node) & mask;; at = (at + 1) & mask) {
    if (slots_[at] == kEmptySlot) {
      const auto index = static_cast<std::uint32_t>(nodes_.size());
      slots_[at] = index;
      nodes_.push_back(node);
      bins_[node.covered].push_back(index);
      return index;
    }
    if (same(nodes_[slots_[at]], node)) return slots_[at];
  }
}

bool ForcedSearch::explore(int distortion_limit) {
  const double begin_time = options_.time_limit > 0 ? seconds_now() : 0.0;
  nodes_.clear();
  found_.clear();
  slots_.clear();
  bins_.resize(std::max<std::size_t>(bins_.size(), words_ + 1));
  for (auto& bin : bins_) bin.clear();
  find_or_add({});
  for (int covered = 0; covered < words_; ++covered) {
    if (options_.time_limit > 0 && seconds_now() - begin_time > options_.time_limit) {
      lattice_.stopped = ForcedStop::kTime;
      lattice_.visited = nodes_.size();
      return false;
    }
    for (std::size_t i = 0; i < bins_[covered].size(); ++i) {
      const std::uint32_t tail = bins_[covered][i];
      const GoldNode from = nodes_[tail];
      const Coverage& coverage = from.coverage;
      const int last_start = std::min(words_ - 1, coverage.gap + distortion_limit);
      for (int begin = coverage.gap; begin <= last_start; ++begin) {
        const bool at_gap = begin == coverage.gap;
        if (!at_gap &&
            (coverage.covers(begin) || std::abs(begin - from.last_end) > distortion_limit))
          continue;
        if (gathers_unknown(unknown_, from.last_end, begin)) continue;
        const std::size_t cell = static_cast<std::size_t>(begin) * (target_size_ + 1) + from.target;
        for (std::uint32_t m = match_begin_[cell]; m < match_begin_[cell + 1]; ++m) {
          const Match& match = matches_[m];
          const int end = match.end;
          // The rules of the search for translations: the first gap may always be closed, and a
          // phrase beyond it must leave the way back within the limit.
          if (!at_gap && end - coverage.gap > distortion_limit) break;
          bool free = true;
          for (int word = begin + 1; free && word < end; ++word) free = !coverage.covers(word);
          if (!free) break;
          GoldNode next;
          next.coverage = coverage.with(begin, end);
          next.covered = static_cast<std::uint16_t>(covered + end - begin);
          next.target = from.target + match.target_size;
          const bool complete = next.covered == words_;
          if (complete && next.target != static_cast<std::uint32_t>(target_size_)) continue;
          next.last_end = static_cast<std::uint16_t>(complete ? words_ : end);
          const std::uint32_t head = find_or_add(next);
          if (nodes_.size() > options_.max_nodes) {
            lattice_.stopped = ForcedStop::kNodes;
            lattice_.visited = nodes_.size();
            return false;
          }
          found_.push_back({tail, head, m});
        }
      }
    }
  }
  lattice_.visited = nodes_.size();
  return true;
}

std::vector<std::uint32_t> ForcedSearch::prefix_ends(int covered) const {
  std::vector<std::uint32_t> ends;
  for (const std::uint32_t n : bins_[covered])
    if (nodes_[n].coverage.gap == covered && nodes_[n].target > 0 &&
        nodes_[n].target < static_cast<std::uint32_t>(target_size_))
      ends.push_back(n);
  return ends;
}

void ForcedSearch::list_prefixes() {
  if (options_.min_prefix <= 0) return;
  for (int covered = options_.min_prefix; covered < words_; ++covered) {
    std::vector<bool> known(target_size_, false);
    for (const std::uint32_t n : prefix_ends(covered)) known[nodes_[n].target] = true;
    for (int target = 1; target < target_size_; ++target)
      if (known[target])
        lattice_.prefixes.push_back(
            {static_cast<std::uint32_t>(covered), static_cast<std::uint32_t>(target)});
  }
}

std::vector<std::uint32_t> ForcedSearch::choose_goal(bool prefixes_too) {
  if (!bins_[words_].empty()) {
    lattice_.whole = true;
    lattice_.source_words = words_;
    lattice_.target_words = target_size_;
    return bins_[words_];
  }
  if (!prefixes_too || options_.min_prefix <= 0) return {};
  std::vector<double> ways;  // derivations of every node, counted when a prefix is there at all
  for (int covered = words_ - 1; covered >= options_.min_prefix; --covered) {
    std::vector<std::uint32_t> ends = prefix_ends(covered);
    if (ends.empty()) continue;
    if (ways.empty()) {
      ways.assign(nodes_.size(), 0.0);
      ways[0] = 1.0;
      // found_ is in the order of the bins of its tails.
      for (const Found& edge : found_) ways[edge.head] += ways[edge.tail];
    }
    // Of several target prefixes the one with the most derivations; of equals the longest.
    std::vector<double> by_target(target_size_, 0.0);
    for (const std::uint32_t n : ends) by_target[nodes_[n].target] += ways[n];
    int best = 0;
    for (int j = 1; j < target_size_; ++j)
      if (by_target[j] > 0.0 && by_target[j] >= by_target[best]) best = j;
    std::erase_if(ends, [&](std::uint32_t n) {
      return nodes_[n].target != static_cast<std::uint32_t>(best);
    });
    lattice_.source_words = covered;
    lattice_.target_words = best;
    return ends;
  }
  return {};
}

void ForcedSearch::keep_what_leads_to(const std::vector<std::uint32_t>& goals) {
  if (goals.empty()) return;
  std::vector<bool> leads(nodes_.size(), options_.dead_ends);
  for (const std::uint32_t goal : goals) leads[goal] = true;
  std::size_t kept_edges = 0;
  for (auto edge = found_.rbegin(); edge != found_.rend(); ++edge)
    if (leads[edge->head]) {
      leads[edge->tail] = true;
      ++kept_edges;
    }
  // All goals become one node, which stands last.
  std::vector<std::uint32_t> number(nodes_.size(), kEmptySlot);
  auto& nodes = lattice_.nodes;
  for (int covered = 0; covered < lattice_.source_words; ++covered)
    for (const std::uint32_t n : bins_[covered])
      if (leads[n]) {
        number[n] = static_cast<std::uint32_t>(nodes.size());
        nodes.push_back(nodes_[n]);
      }
  for (const std::uint32_t goal : goals) number[goal] = static_cast<std::uint32_t>(nodes.size());
  GoldNode last = nodes_[goals[0]];
  last.last_end = static_cast<std::uint16_t>(lattice_.source_words);
  nodes.push_back(last);

  for (const Found& edge : found_)
    if (leads[edge.head]) ++nodes[number[edge.head]].end_edge;
  std::uint32_t total = 0;
  for (GoldNode& node : nodes) {
    node.first_edge = total;
    total += node.end_edge;
    node.end_edge = node.first_edge;
  }
  lattice_.edges.resize(kept_edges);
  for (const Found& edge : found_) {
    if (!leads[edge.head]) continue;
    const Match& match = matches_[edge.match];
    GoldNode& head = nodes[number[edge.head]];
    GoldEdge& kept = lattice_.edges[head.end_edge++];
    kept.tail = number[edge.tail];
    kept.head = number[edge.head];
    kept.rule = match.rule;
    kept.begin = match.begin;
    kept.end = match.end;
    kept.table = match.table;
    kept.without = match.without;
  }
  std::vector<double> ways(nodes.size(), 0.0);
  ways[0] = 1.0;
  for (const GoldEdge& edge : lattice_.edges) ways[edge.head] += ways[edge.tail];
  lattice_.derivations = ways.back();
}

}  // namespace tunesmith::decode
