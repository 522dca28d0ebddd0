#include "decode/chart/chart_search.hh"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/clock.hh"

namespace tunesmith::decode {

namespace {

// Cells that are grown give their items nearly best first: of a few the best is better than the
// first.
constexpr int kLeastWanted = 10;

constexpr auto lower = [](const auto& a, const auto& b) {
  return a.score != b.score ? a.score < b.score : a.number > b.number;
};

}  // namespace

ChartSearch::ChartSearch(const ChartModel& model, std::span<const double> weights,
                         const ChartOptions& options)
    : CkyChart(model, weights, options), growing_(rules_, options) {}

void ChartSearch::run(const ChartInput& input, const ChartGrammar& grammar, int wanted,
                      ChartForest& forest) {
  begin(input, grammar, options_.rule_limit, forest);
  wanted_ = wanted;
  ranges_.clear();
  order_.clear();
  deadline_ = options_.time_limit > 0.0 ? seconds_now() + options_.time_limit
                                        : std::numeric_limits<double>::infinity();
  growing_.begin(input, forest, deadline_);
  fill();
  glue_together();
}

bool ChartSearch::fill_cell(const Cell& cell) {
  if (options_.grow) return growing_.add_cell(cubes_, cell.label, cell.from, cell.to) != kNothing;
  return prune_cell(cell);
}

// Steps 2 and 3.
bool ChartSearch::prune_cell(const Cell& cell) {
  heap_.clear();
  candidate_states_.clear();
  free_states_.clear();
  offered_ = 0;
  for (std::uint32_t cube = 0; cube < cubes_.size(); ++cube)
    if (cubes_[cube].label == cell.label) offer(cube, {0, 0, 0});
  if (heap_.empty()) return false;
  const auto first_item = static_cast<std::uint32_t>(forest_->items.size());
  items_.clear();
  const int limit = forest_->out_of_time(deadline_) ? 1 : options_.pop_limit;
  double best = -std::numeric_limits<double>::infinity();
  int refused = 0;
  for (int pops = 0; pops < limit && !heap_.empty() && refused < most_refused(options_);) {
    std::ranges::pop_heap(heap_, lower);
    const Candidate taken = heap_.back();
    heap_.pop_back();
    if (taken.refused) {
      ++refused;
      free_states_.push_back(taken.states);
      offer_neighbours(taken);
      continue;
    }
    ++pops;
    best = std::max(best, taken.score);
    if (taken.score < best - options_.beam_threshold) break;
    take(taken, cell);
    offer_neighbours(taken);
    ++forest_->pops;
  }
  if (first_item == forest_->items.size()) return false;
  const auto begin = static_cast<std::uint32_t>(order_.size());
  for (auto item = first_item; item < forest_->items.size(); ++item) order_.push_back(item);
  std::stable_sort(order_.begin() + begin, order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return forest_->items[a].score > forest_->items[b].score;
  });
  ranges_.push_back({begin, static_cast<std::uint32_t>(order_.size())});
  return true;
}

void ChartSearch::offer(std::uint32_t number, const std::uint32_t (&ranks)[3]) {
  const Cube& cube = cubes_[number];
  Candidate candidate;
  candidate.cube = number;
  std::ranges::copy(ranks, candidate.ranks);
  candidate.number = offered_++;
  std::uint32_t items[2] = {kNothing, kNothing};
  for (int tail = 0; tail < 2 && cube.cells[tail] != kNothing; ++tail)
    items[tail] = item_of(cube, tail, ranks[1 + tail]);
  if (free_states_.empty()) {
    candidate.states = static_cast<std::uint32_t>(candidate_states_.size());
    candidate_states_.resize(candidate_states_.size() + forest_->state_size);
  } else {
    candidate.states = free_states_.back();
    free_states_.pop_back();
  }
  candidate.score = cube_edge(cube, cube.rule_begin + ranks[0], items, rules_, *forest_,
                              !input_->goes_on, candidate_states_.data() + candidate.states)
                        .score;
  candidate.refused = input_->watches_borders &&
                      !is_allowed(cube.rule_begin + ranks[0], items, rules_, *forest_,
                                  candidate_states_[candidate.states + forest_->language_models]);
  heap_.push_back(candidate);
  std::ranges::push_heap(heap_, lower);
}

void ChartSearch::offer_neighbours(const Candidate& taken) {
  const Cube cube = cubes_[taken.cube];
  std::uint32_t sizes[3] = {cube.rule_end - cube.rule_begin, 1, 1};
  for (int tail = 0; tail < 2 && cube.cells[tail] != kNothing; ++tail)
    sizes[1 + tail] = ranges_[cube.cells[tail]].end - ranges_[cube.cells[tail]].begin;
  for (int axis = 2; axis >= 0; --axis) {
    if (taken.ranks[axis] + 1 < sizes[axis]) {
      std::uint32_t ranks[3] = {taken.ranks[0], taken.ranks[1], taken.ranks[2]};
      ++ranks[axis];
      offer(taken.cube, ranks);
    }
    if (taken.ranks[axis] > 0) break;
  }
}

void ChartSearch::take(const Candidate& candidate, const Cell& cell) {
  const Cube& cube = cubes_[candidate.cube];
  ChartEdge edge;
  edge.rule = cube.rule_begin + candidate.ranks[0];
  for (int tail = 0; tail < 2 && cube.cells[tail] != kNothing; ++tail)
    edge.tails[tail] = item_of(cube, tail, candidate.ranks[1 + tail]);
  edge.begin = cell.from;
  edge.end = cell.to;
  edge.score = candidate.score;
  items_.add(edge, candidate_states_.data() + candidate.states, *forest_);
  if (input_->is_lattice) forest_->edge_arcs.push_back(cube.arcs);
  free_states_.push_back(candidate.states);
}

// Step 4.
void ChartSearch::glue_together() {
  const std::uint32_t first = rules_.glue(kFirstGlue), more = rules_.glue(kGlue),
                      goal = rules_.glue(kGoal);
  std::vector<std::uint32_t> sentences(input_->nodes, kNothing);  // cells of S by their ends
  for (int end = 1; end < input_->nodes; ++end) {
    cubes_.clear();
    for (const std::uint32_t cell : cells(0, end))
      cubes_.push_back({first, first + 1, {cell, kNothing}, 0, kNothing});
    for (int middle = 1; middle < end; ++middle)
      if (sentences[middle] != kNothing)
        for (const std::uint32_t cell : cells(middle, end))
          cubes_.push_back({more, more + 1, {sentences[middle], cell}, 0, kNothing});
    sentences[end] = add_cell(0, 0, end);
  }
  forest_->glued = input_->nodes > 1 && cells(0, input_->nodes - 1).empty();
  if (sentences.back() != kNothing) end_sentence(sentences.back(), goal);
}

void ChartSearch::end_sentence(std::uint32_t cell, std::uint32_t rule) {
  if (!options_.grow) {
    add_goal(
        std::span(order_).subspan(ranges_[cell].begin, ranges_[cell].end - ranges_[cell].begin),
        rule);
    return;
  }
  const int wanted = std::max(wanted_, kLeastWanted);
  for (int rank = 0; rank < wanted && growing_.item(cell, rank) != kNothing;) ++rank;
  std::vector<std::uint32_t> items(growing_.settle());
  if (items.empty()) return;  // all that it has found is forbidden
  std::iota(items.begin(), items.end(),
            static_cast<std::uint32_t>(forest_->items.size() - items.size()));
  add_goal(items, rule);
}

// All derivations of the whole input are edges of one item, whatever their states.
void ChartSearch::add_goal(std::span<const std::uint32_t> items, std::uint32_t rule) {
  ChartForest& forest = *forest_;
  ChartItem goal;
  std::vector<lm::Fragment> states(forest.state_size);
  for (const std::uint32_t item : items) {
    ChartEdge edge = cube_edge({rule, rule + 1}, rule, {item, kNothing}, rules_, forest,
                               !input_->goes_on, states.data());
    edge.end = input_->nodes - 1;
    edge.next = goal.edges;
    goal.edges = static_cast<std::uint32_t>(forest.edges.size());
    if (goal.best == kNothing || edge.score > goal.score) {
      goal.best = goal.edges;
      goal.score = edge.score;
    }
    forest.edges.push_back(edge);
    if (input_->is_lattice) forest.edge_arcs.push_back(kNothing);
  }
  forest.items.push_back(goal);
  forest.states.resize(forest.states.size() + forest.state_size);
  forest.reached = true;
}

}  // namespace tunesmith::decode
