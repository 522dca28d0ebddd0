#include "decode/chart/cube_growing.hh"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tunesmith::decode {
namespace {

constexpr auto waits_longer = [](const auto& a, const auto& b) {
  return a.score != b.score ? a.score < b.score : a.number > b.number;
};
constexpr double kWorst = -std::numeric_limits<double>::infinity();

}  // namespace

void CubeGrowing::begin(const ChartInput& input, ChartForest& forest, double deadline) {
  input_ = &input;
  forest_ = &forest;
  deadline_ = deadline;
  cells_.clear();
  cubes_.clear();
  states_.clear();
  free_states_.clear();
  cell_of_.clear();
  released_.clear();
}

std::uint32_t CubeGrowing::add_cell(std::span<const Cube> cubes, std::int32_t label, int begin,
                                    int end) {
  Cell cell;
  cell.cube_begin = static_cast<std::uint32_t>(cubes_.size());
  for (const Cube& cube : cubes)
    if (cube.label == label) cubes_.push_back(cube);
  cell.cube_end = static_cast<std::uint32_t>(cubes_.size());
  if (cell.cube_begin == cell.cube_end) return kNothing;
  cell.begin = begin;
  cell.end = end;
  cells_.push_back(std::move(cell));
  return static_cast<std::uint32_t>(cells_.size()) - 1;
}

std::uint32_t CubeGrowing::item(std::uint32_t number, std::uint32_t rank) {
  Cell& cell = cells_[number];
  if (!cell.open) open(cell);
  while (rank >= cell.items.size()) {
    if (goes_on(cell)) {
      take_best(number);
      release(cell, cell.candidates.empty() ? kWorst : cell.candidates.front().score);
    } else if (!release(cell, kWorst)) {
      return kNothing;
    }
  }
  return cell.items[rank];
}

// Step 2.
void CubeGrowing::open(Cell& cell) {
  cell.open = true;
  cell.best = kWorst;
  for (std::uint32_t cube = cell.cube_begin; cube < cell.cube_end; ++cube) {
    Candidate corner;
    corner.cube = cube;
    offer(cell, corner);
  }
}

// Step 5.
bool CubeGrowing::goes_on(const Cell& cell) {
  return !cell.candidates.empty() &&
         cell.candidates.front().score >= cell.best - options_.beam_threshold &&
         cell.taken < (forest_->out_of_time(deadline_) ? 1 : options_.pop_limit) &&
         cell.refused < most_refused(options_);
}

// Step 4.
void CubeGrowing::take_best(std::uint32_t number) {
  Cell& cell = cells_[number];
  std::ranges::pop_heap(cell.candidates, waits_longer);
  const Candidate taken = cell.candidates.back();
  cell.candidates.pop_back();
  ++forest_->pops;
  // A neighbour raises the axis that was raised last, or one behind it.
  const auto offer_neighbours = [&] {
    for (int axis = 2; axis >= 0; --axis) {
      Candidate next = taken;
      ++next.ranks[axis];
      offer(cell, next);
      if (taken.ranks[axis] > 0) break;
    }
  };
  if (taken.refused) {
    ++cell.refused;
    free_states_.push_back(taken.states);
    return offer_neighbours();
  }
  ++cell.taken;
  const Cube cube = cubes_[taken.cube];
  std::uint32_t items[2];
  find_items(taken, items);
  ChartEdge edge;
  edge.rule = cube.rule_begin + taken.ranks[0];
  std::ranges::copy(items, edge.tails);
  edge.begin = cell.begin;
  edge.end = cell.end;
  edge.score = taken.own + sum_of(items);  // items may have become better since
  cell.best = std::max(cell.best, edge.score);
  const std::uint32_t item = cell.found.add(edge, states_.data() + taken.states, *forest_);
  free_states_.push_back(taken.states);
  forest_->edges.back().score = taken.own;  // until items are settled
  if (input_->is_lattice) forest_->edge_arcs.push_back(cube.arcs);
  if (item == cell_of_.size()) {
    cell_of_.push_back(number);
    released_.push_back(0);
  }
  if (released_[item] == 0 && forest_->items[item].score == edge.score) {
    cell.waiting.push_back(
        {edge.score, item, static_cast<std::uint32_t>(forest_->edges.size()) - 1});
    std::ranges::push_heap(cell.waiting, waits_longer);
  }
  offer_neighbours();
}

// Step 3.
void CubeGrowing::offer(Cell& cell, Candidate candidate) {
  const Cube cube = cubes_[candidate.cube];
  const std::uint32_t rule = cube.rule_begin + candidate.ranks[0];
  std::uint32_t items[2];
  if (rule >= cube.rule_end || !find_items(candidate, items)) return;
  if (free_states_.empty()) {
    candidate.states = static_cast<std::uint32_t>(states_.size());
    states_.resize(states_.size() + forest_->state_size);
  } else {
    candidate.states = free_states_.back();
    free_states_.pop_back();
  }
  candidate.score = cube_edge(cube, rule, items, rules_, *forest_, !input_->goes_on,
                              states_.data() + candidate.states)
                        .score;
  candidate.own = candidate.score - sum_of(items);
  candidate.refused =
      input_->watches_borders && !is_allowed(rule, items, rules_, *forest_,
                                             states_[candidate.states + forest_->language_models]);
  candidate.number = cell.offered++;
  cell.candidates.push_back(candidate);
  std::ranges::push_heap(cell.candidates, waits_longer);
}

bool CubeGrowing::find_items(const Candidate& candidate, std::uint32_t (&items)[2]) {
  const Cube cube = cubes_[candidate.cube];
  for (int tail = 0; tail < 2; ++tail) {
    const std::uint32_t rank = candidate.ranks[1 + tail];
    items[tail] = cube.cells[tail] == kNothing ? kNothing : item(cube.cells[tail], rank);
    if (items[tail] == kNothing && (cube.cells[tail] != kNothing || rank > 0)) return false;
  }
  return true;
}

double CubeGrowing::sum_of(const std::uint32_t (&items)[2]) const {
  double sum = 0.0;
  for (const std::uint32_t item : items)
    if (item != kNothing) sum += forest_->items[item].score;
  return sum;
}

bool CubeGrowing::release(Cell& cell, double bound) {
  bool any = false;
  while (!cell.waiting.empty() && cell.waiting.front().score >= bound) {
    std::ranges::pop_heap(cell.waiting, waits_longer);
    const std::uint32_t item = cell.waiting.back().item;
    cell.waiting.pop_back();
    if (released_[item] != 0) continue;  // a better edge has released it
    released_[item] = 1;
    cell.items.push_back(item);
    any = true;
    if (bound == kWorst) break;
  }
  return any;
}

std::size_t CubeGrowing::settle() {
  ChartForest& forest = *forest_;
  std::vector<std::uint32_t> order(forest.items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t item) { return cell_of_[item]; });
  std::vector<std::uint32_t> number(order.size());
  std::vector<ChartItem> items;
  std::vector<lm::Fragment> states;
  for (const std::uint32_t item : order) {
    number[item] = static_cast<std::uint32_t>(items.size());
    ChartItem settled = forest.items[item];
    settled.best = kNothing;
    for (std::uint32_t e = settled.edges; e != kNothing; e = forest.edges[e].next) {
      ChartEdge& edge = forest.edges[e];
      for (std::uint32_t& tail : edge.tails) {
        if (tail == kNothing) continue;
        tail = number[tail];
        edge.score += items[tail].score;
      }
      if (settled.best == kNothing || edge.score >= settled.score) {  // of equals the first
        settled.best = e;
        settled.score = edge.score;
      }
    }
    items.push_back(settled);
    states.insert(states.end(), forest.state(item), forest.state(item) + forest.state_size);
  }
  forest.items = std::move(items);
  forest.states = std::move(states);
  return static_cast<std::size_t>(std::ranges::count(cell_of_, cells_.size() - 1));
}

}  // namespace tunesmith::decode
