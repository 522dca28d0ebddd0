#include "decode/phrase/phrase_search.hh"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clock.hh"
#include "decode/phrase/forbidden_constraint.hh"
#include "decode/phrase/target_constraint.hh"

namespace tunesmith::decode {

PhraseSearch::PhraseSearch(const PhraseModel& model, std::span<const double> weights,
                           const SearchOptions& options)
    : model_(model),
      weights_(weights),
      search_options_(options),
      models_(model.language_models()),
      pair_(model),
      dense_weights_(weights.begin(), weights.begin() + model.features()),
      lm_weights_(dense_weights_.begin() + model.lm_begin(),
                  dense_weights_.begin() + model.lexical_index()),
      sees_history_(model.lexical() != nullptr && model.lexical()->templates().sees_history()) {}

const SearchGraph& PhraseSearch::run(const PhraseOptions& options, const SourceSentence& sentence,
                                     const ForbiddenPhrases* forbidden) {
  options_ = &options;
  sentence_ = &sentence;
  words_ = options.words();
  int limit = search_options_.distortion_limit;
  if (limit < 0 || limit > Coverage::kMaxReach) limit = Coverage::kMaxReach;
  constraint_.reset();
  if (sentence.target)
    constraint_ = std::make_unique<TargetConstraint>(model_, options, *sentence.target);
  else if (forbidden != nullptr && forbidden->spans_rules())
    constraint_ = std::make_unique<ForbiddenConstraint>(model_, options, *forbidden);
  // Walls, zones and a tight beam can leave no way to the end; the monotone way is always there,
  // unless the translation is prescribed.
  if (!search(limit) && !sentence.target) search(0);
  return graph_;
}

bool PhraseSearch::search(int distortion_limit) {
  start();
  const double begin = search_options_.time_limit > 0 ? seconds_now() : 0.0;
  for (int covered = 0; covered <= words_; ++covered) {
    int pop_limit = search_options_.pop_limit;
    if (search_options_.time_limit > 0 && seconds_now() - begin > search_options_.time_limit) {
      graph_.timed_out = true;
      pop_limit = 1;
    }
    if (covered > 0) fill_stack(covered, pop_limit);
    if (covered < words_) finish_stack(covered, distortion_limit);
  }
  // All contexts are blank at the end, so all complete derivations meet in one state.
  if (graph_.states.size() > stack_begin_) graph_.goal = stack_begin_;
  if (constraint_ && words_ == 0 && !constraint_->allows_nothing()) graph_.goal = kNone;
  return graph_.goal != kNone;
}

void PhraseSearch::start() {
  graph_.states.clear();
  graph_.edges.clear();
  graph_.edge_lm.clear();
  graph_.edge_lexical.clear();
  graph_.goal = kNone;
  graph_.pops = 0;
  graph_.discarded = 0;
  graph_.timed_out = false;
  contexts_.clear();
  histories_.clear();
  if (sees_history_) histories_.emplace_back();
  ranked_.clear();
  if (static_cast<int>(cubes_.size()) <= words_) cubes_.resize(words_ + 1);
  for (auto& cubes : cubes_) cubes.clear();
  graph_.states.emplace_back();
  for (int m = 0; m < models_; ++m) contexts_.push_back(model_.language_model(m).begin_state());
  stack_begin_ = 0;
}

float PhraseSearch::future_of(const Coverage& coverage) const {
  float total = 0.0F;
  int begin = coverage.gap;
  std::uint64_t ahead = coverage.ahead;
  int at = coverage.gap;
  while (ahead != 0) {
    const int zeros = std::countr_zero(ahead);
    total += options_->future(begin, at + zeros);
    ahead >>= zeros;
    at += zeros;
    const int ones = std::countr_one(ahead);
    at += ones;
    ahead = ones >= 64 ? 0 : ahead >> ones;
    begin = at;
  }
  return begin < words_ ? total + options_->future(begin, words_) : total;
}

bool PhraseSearch::may_follow(const Coverage& coverage, int begin, int end) const {
  for (const int wall : sentence_->walls) {
    if (begin < wall && wall < end) return false;
    if (begin >= wall && coverage.gap < wall) return false;
  }
  const auto keeps_zone = [&](int zone_begin, int zone_end) {
    const bool inside = zone_begin <= begin && end <= zone_end;
    const bool around = begin <= zone_begin && zone_end <= end;
    const bool apart = end <= zone_begin || zone_end <= begin;
    if (!inside && !around && !apart) return false;
    if (inside) return true;
    int open = 0, done = 0;
    for (int word = zone_begin; word < zone_end; ++word) ++(coverage.covers(word) ? done : open);
    return open == 0 || done == 0;  // a zone that has been begun must be ended first
  };
  for (const auto& [zone_begin, zone_end] : sentence_->zones)
    if (!keeps_zone(zone_begin, zone_end)) return false;
  for (const auto& [first, last] : sentence_->enclosures) {
    if (!keeps_zone(first, last)) return false;
    if (begin < first || end > last) continue;
    if (begin > first && !coverage.covers(first)) return false;
    for (int word = first; end == last && word < begin; ++word)
      if (!coverage.covers(word)) return false;  // its last word comes last
  }
  return true;
}

void PhraseSearch::finish_stack(int covered, int distortion_limit) {
  auto& states = graph_.states;
  const auto end = static_cast<std::uint32_t>(states.size());
  order_.clear();
  float best = -std::numeric_limits<float>::infinity();
  for (std::uint32_t i = stack_begin_; i < end; ++i) best = std::max(best, states[i].total);
  for (std::uint32_t i = stack_begin_; i < end; ++i)
    if (states[i].total >= best - search_options_.beam_threshold) order_.push_back(i);
  const auto better = [&](std::uint32_t a, std::uint32_t b) {
    return states[a].total != states[b].total ? states[a].total > states[b].total : a < b;
  };
  if (order_.size() > static_cast<std::size_t>(search_options_.stack_size)) {
    std::nth_element(order_.begin(), order_.begin() + search_options_.stack_size, order_.end(),
                     better);
    order_.resize(search_options_.stack_size);
  }
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const SearchState &x = states[a], &y = states[b];
    if (x.coverage.gap != y.coverage.gap) return x.coverage.gap < y.coverage.gap;
    if (x.coverage.ahead != y.coverage.ahead) return x.coverage.ahead < y.coverage.ahead;
    if (x.last.end != y.last.end) return x.last.end < y.last.end;
    if (x.target != y.target) return x.target < y.target;
    return better(a, b);
  });
  // Cubes point into a permanent copy of the order: later stacks still draw from them.
  for (std::size_t i = 0; i < order_.size();) {
    const SearchState& head = states[order_[i]];
    Group group{head.coverage, head.last.end, head.target,
                static_cast<std::uint32_t>(ranked_.size()), 0};
    std::size_t j = i;
    while (j < order_.size() && states[order_[j]].coverage == head.coverage &&
           states[order_[j]].last.end == head.last.end && states[order_[j]].target == head.target)
      ranked_.push_back(order_[j++]);
    group.end = static_cast<std::uint32_t>(ranked_.size());
    open_cubes(group, covered, distortion_limit);
    i = j;
  }
}

void PhraseSearch::open_cubes(const Group& group, int covered, int distortion_limit) {
  const Coverage& coverage = group.coverage;
  const bool constrained =
      !sentence_->walls.empty() || !sentence_->zones.empty() || !sentence_->enclosures.empty();
  const int last_start = std::min(words_ - 1, coverage.gap + std::max(distortion_limit, 0));
  for (int begin = coverage.gap; begin <= last_start; ++begin) {
    if (begin > coverage.gap && coverage.covers(begin)) continue;
    const int jump = std::abs(begin - group.last_end);
    // The first gap may always be closed: otherwise a sentence could get stuck.
    if (begin != coverage.gap && jump > distortion_limit) continue;
    if (gathers_unknown(options_->unknown(), group.last_end, begin)) continue;
    for (int length = 1; length <= options_->max_length() && begin + length <= words_; ++length) {
      const int end = begin + length;
      // A phrase beyond the gap must leave the way back within the limit.
      if (begin != coverage.gap && end - coverage.gap > distortion_limit) break;
      if (begin != coverage.gap ? coverage.overlaps(begin, end)
                                : length > 1 && coverage.covers(end - 1))
        break;
      const auto rules =
          constraint_ ? constraint_->at(begin, length, group.target, covered + length == words_)
                      : options_->at(begin, length);
      if (rules.empty() || (constrained && !may_follow(coverage, begin, end))) continue;
      Cube cube;
      cube.group_begin = group.begin;
      cube.group_size = group.end - group.begin;
      cube.rules = rules.data();
      cube.rule_count = static_cast<std::uint32_t>(rules.size());
      cube.begin = static_cast<std::uint16_t>(begin);
      cube.end = static_cast<std::uint16_t>(end);
      cube.coverage = coverage.with(begin, end);
      cube.jump = pair_.add_jump(0.0F, dense_weights_.data(), group.last_end, begin, end);
      cube.future = future_of(cube.coverage);
      cubes_[covered + length].push_back(cube);
    }
  }
}

}  // namespace tunesmith::decode
