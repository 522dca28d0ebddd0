// Step 3 of the search: the cells of a stack's cubes, best first, become edges into its states.
#include <algorithm>
#include <limits>

#include "decode/phrase/phrase_search.hh"

namespace tunesmith::decode {
namespace {

// The heap's top is the highest total; of equals, the slot that was made first.
struct LowerTotal {
  template <typename Item>
  bool operator()(const Item& a, const Item& b) const {
    return a.total != b.total ? a.total < b.total : a.slot > b.slot;
  }
};

}  // namespace

float PhraseSearch::history_score(const History& history, const PreparedRule& rule) {
  if (rule.rule == grammar::kNoRule) return 0.0F;  // unknown and prescribed words have no features
  return static_cast<float>(model_.lexical()->history_value(rule.id, history, keys_));
}

PhraseSearch::History PhraseSearch::history_after(const History& history,
                                                  const PreparedRule& rule) const {
  const LexicalTables& lexical = *model_.lexical();
  const int levels = lexical.model().target().levels();
  History next = history;
  next.rule = rule.id;
  const int size = rule.target_size;
  for (int i = std::max(0, size - 2); i < size; ++i) {
    next.before = next.last;
    next.last =
        rule.rule == grammar::kNoRule
            ? rule.literal_atoms + static_cast<std::ptrdiff_t>(i) * levels
            : lexical.target_word(rule.table, model_.table(rule.table).target(rule.rule)[i]);
  }
  const features::LexicalOptions& options = lexical.templates().options();
  next.hash = options.rule_pairs ? next.rule : 0;
  if (options.history)
    for (const std::uint64_t* word : {next.before, next.last})
      for (int level = 0; level < levels; ++level)
        next.hash = hash_combine(next.hash, word == nullptr ? 0 : word[level]);
  return next;
}

float PhraseSearch::score_without_lm(const Cube& cube, std::uint32_t state_rank,
                                     std::uint32_t rule_rank) const {
  const SearchState& state = graph_.states[ranked_[cube.group_begin + state_rank]];
  const PreparedRule& rule = cube.rules[rule_rank];
  return state.score + rule.score + cube.jump +
         pair_.add_orientation(0.0F, dense_weights_.data(), state.last, cube.begin, cube.end,
                               rule.reordering);
}

void PhraseSearch::offer(std::uint32_t cube_index, std::uint32_t state_rank,
                         std::uint32_t rule_rank) {
  if (!can_discard_) return push(cube_index, state_rank, rule_rank);
  const Cube& cube = cubes_[current_][cube_index];
  const auto is_hopeless = [&](std::uint32_t rule) {
    return score_without_lm(cube, state_rank, rule) + cube.future <
           stack_best_ - search_options_.beam_threshold;
  };
  for (;; ++state_rank) {
    std::uint32_t rule = rule_rank;
    while (rule < cube.rule_count && is_hopeless(rule)) ++rule;
    graph_.discarded += rule - rule_rank;
    if (rule < cube.rule_count) push(cube_index, state_rank, rule);
    // A row is opened by the first cell of the row before it: here, if that one never comes up.
    if (rule_rank > 0 || rule == 0 || state_rank + 1 == cube.group_size) return;
  }
}

void PhraseSearch::push(std::uint32_t cube_index, std::uint32_t state_rank,
                        std::uint32_t rule_rank) {
  const Cube& cube = cubes_[current_][cube_index];
  const std::uint32_t state_index = ranked_[cube.group_begin + state_rank];
  const PreparedRule& rule = cube.rules[rule_rank];
  const auto slot = static_cast<std::uint32_t>(slots_.size());
  float score = score_without_lm(cube, state_rank, rule_rank);
  const bool complete = cube.coverage.gap == words_;
  if (sees_history_) {
    const History& history = histories_[state_index];
    const float value = history_score(history, rule);
    score += dense_weights_[model_.lexical_index()] * value;
    slot_lexical_.push_back(value);
    slot_histories_.push_back(complete ? History{} : history_after(history, rule));
  }
  for (int m = 0; m < models_; ++m) {
    const lm::Model& model = model_.language_model(m);
    const PhraseLm& view = rule.lms[m];
    lm::State context = contexts_[state_index * models_ + m];
    float open = 0.0F;
    for (int i = 0; i < view.open; ++i) {
      lm::State next;
      open += model.score(context, view.words[i], next);
      context = next;
    }
    if (view.closes) context = view.right;
    open *= lm::kLn10;
    if (complete) {
      lm::State next;
      if (!sentence_->after) open += model.score(context, lm::kEnd, next) * lm::kLn10;
      context = model.null_state();
    }
    score += lm_weights_[m] * open;
    slot_contexts_.push_back(context);
    slot_lm_.push_back(open + view.closed);
  }
  slots_.push_back({cube_index, state_rank, rule_rank, score});
  queue_.push_back({score + cube.future, slot});
  std::push_heap(queue_.begin(), queue_.end(), LowerTotal{});
}

LastPhrase PhraseSearch::visible_of(const Cube& cube, const PreparedRule& rule) const {
  const int begin = cube.begin, end = cube.end;
  if (cube.coverage.gap == words_)  // nothing follows
    return {.end = static_cast<std::uint16_t>(words_)};
  return pair_.visible(begin, end, rule.reordering, end < words_ && !cube.coverage.covers(end),
                       begin > 0 && !cube.coverage.covers(begin - 1));
}

std::uint32_t PhraseSearch::find_or_add(const SearchState& state, const lm::State* contexts,
                                        const History& history) {
  auto& states = graph_.states;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = state.hash & mask;; i = (i + 1) & mask) {
    const std::uint32_t found = table_[i];
    if (found == kNone) {
      const auto index = static_cast<std::uint32_t>(states.size());
      table_[i] = index;
      states.push_back(state);
      contexts_.insert(contexts_.end(), contexts, contexts + models_);
      if (sees_history_) histories_.push_back(history);
      return index;
    }
    const SearchState& other = states[found];
    if (other.hash == state.hash && other.coverage == state.coverage && other.last == state.last &&
        other.target == state.target &&
        std::equal(contexts, contexts + models_, &contexts_[found * models_]) &&
        (!sees_history_ || histories_[found].hash == history.hash))
      return found;
  }
}

void PhraseSearch::accept(const Slot& slot, std::uint32_t slot_index) {
  const Cube& cube = cubes_[current_][slot.cube];
  const PreparedRule& rule = cube.rules[slot.rule];
  SearchState state;
  state.coverage = cube.coverage;
  state.last = visible_of(cube, rule);
  if (constraint_ && cube.coverage.gap != words_)  // what is complete meets in one state
    state.target =
        constraint_->after(graph_.states[ranked_[cube.group_begin + slot.state]].target, rule);
  const lm::State* contexts = slot_contexts_.data() + slot_index * models_;
  std::uint64_t hash =
      hash_combine(static_cast<std::uint64_t>(state.coverage.gap) << 32 |
                       static_cast<std::uint64_t>(state.last.end) << 16 | state.last.begin,
                   state.coverage.ahead);
  if (pair_.keeps_scores()) {
    const auto scores = pair_.kept_scores(state.last);
    hash = hash_bytes(scores.data(), scores.size_bytes(), hash);
  }
  for (int m = 0; m < models_; ++m) hash = hash_combine(hash, contexts[m].node);
  if (constraint_) hash = hash_combine(hash, state.target);
  const History history = sees_history_ ? slot_histories_[slot_index] : History{};
  if (sees_history_) hash = hash_combine(hash, history.hash);
  state.hash = hash;
  state.score = slot.score;
  state.total = slot.score + cube.future;
  stack_best_ = std::max(stack_best_, state.total);
  const std::uint32_t index = find_or_add(state, contexts, history);

  SearchState& kept = graph_.states[index];
  const auto edge_index = static_cast<std::uint32_t>(graph_.edges.size());
  SearchEdge edge;
  edge.tail = ranked_[cube.group_begin + slot.state];
  edge.next = kept.edges;
  edge.rule = &rule;
  edge.begin = cube.begin;
  edge.end = cube.end;
  edge.score = slot.score;
  graph_.edges.push_back(edge);
  graph_.edge_lm.insert(graph_.edge_lm.end(), slot_lm_.begin() + slot_index * models_,
                        slot_lm_.begin() + (slot_index + 1) * models_);
  if (sees_history_) graph_.edge_lexical.push_back(slot_lexical_[slot_index]);
  kept.edges = edge_index;
  if (kept.best == kNone || slot.score > kept.score) {
    kept.best = edge_index;
    kept.score = slot.score;
    kept.total = slot.score + cube.future;
  }
}

void PhraseSearch::fill_stack(int covered, int pop_limit) {
  current_ = covered;
  stack_begin_ = static_cast<std::uint32_t>(graph_.states.size());
  queue_.clear();
  slots_.clear();
  slot_contexts_.clear();
  slot_lm_.clear();
  slot_histories_.clear();
  slot_lexical_.clear();
  auto& cubes = cubes_[covered];
  // No more states than pops, those for the sake of diversity included, and than cells.
  std::size_t cells = 0;
  for (const Cube& cube : cubes) cells += std::size_t{cube.group_size} * cube.rule_count;
  const auto diverse = static_cast<std::size_t>(std::max(search_options_.diversity, 0));
  cells = std::min(cells, static_cast<std::size_t>(pop_limit) + cubes.size() * diverse);
  std::size_t capacity = 64;
  while (capacity < 2 * cells) capacity *= 2;
  table_.assign(capacity, kNone);
  can_discard_ =
      search_options_.early_discarding && covered < words_ && !sees_history_ &&
      search_options_.beam_threshold < std::numeric_limits<float>::infinity() &&
      std::all_of(
          lm_weights_.begin(), lm_weights_.end(), [](float weight) { return weight >= 0.0F; });
  stack_best_ = -std::numeric_limits<float>::infinity();
  for (std::uint32_t c = 0; c < cubes.size(); ++c) {
    offer(c, 0, 0);
    // The best of the first candidates is popped first, so it will be in the stack.
    if (!queue_.empty()) stack_best_ = queue_.front().total;
  }

  const auto advance = [&](const Slot& slot) {
    Cube& cube = cubes[slot.cube];
    ++cube.taken;
    // Every cell of a cube is reached on one way only: along its row, and rows by their first.
    if (slot.rule + 1 < cube.rule_count) offer(slot.cube, slot.state, slot.rule + 1);
    if (slot.rule == 0 && slot.state + 1 < cube.group_size) offer(slot.cube, slot.state + 1, 0);
  };
  int pops = 0;
  while (!queue_.empty() && pops < pop_limit) {
    std::pop_heap(queue_.begin(), queue_.end(), LowerTotal{});
    const std::uint32_t slot_index = queue_.back().slot;
    queue_.pop_back();
    const Slot slot = slots_[slot_index];
    accept(slot, slot_index);
    advance(slot);
    ++pops;
  }
  // Diversity: cubes that were left behind get their first candidates all the same.
  while (search_options_.diversity > 0 && !queue_.empty()) {
    std::pop_heap(queue_.begin(), queue_.end(), LowerTotal{});
    const std::uint32_t slot_index = queue_.back().slot;
    queue_.pop_back();
    const Slot slot = slots_[slot_index];
    if (cubes[slot.cube].taken >= static_cast<std::uint32_t>(search_options_.diversity)) continue;
    accept(slot, slot_index);
    advance(slot);
    ++pops;
  }
  graph_.pops += pops;
}

}  // namespace tunesmith::decode
