#include "decode/chart/chart_search.hh"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/clock.hh"
#include "decode/chart/unary_order.hh"

namespace tunesmith::decode {

using grammar::Symbol;

namespace {

// Cells that are grown give their items nearly best first: of a few the best is better than the
// first.
constexpr int kLeastWanted = 10;
// An edge of the input that no rule can look at.
constexpr Symbol kNoWord = std::numeric_limits<Symbol>::max();

constexpr auto lower = [](const auto& a, const auto& b) {
  return a.score != b.score ? a.score < b.score : a.number > b.number;
};

}  // namespace

ChartSearch::ChartSearch(const ChartModel& model, std::span<const double> weights,
                         const ChartOptions& options)
    : model_(model), options_(options), rules_(model, weights), growing_(rules_, options) {}

void ChartSearch::run(const ChartInput& input, const ChartGrammar& grammar, int wanted,
                      ChartForest& forest) {
  input_ = &input;
  grammar_ = &grammar;
  forest_ = &forest;
  wanted_ = wanted;
  forest.clear(model_.language_models());
  rules_.begin(grammar, options_.rule_limit);
  label_order_ = unary_order(grammar);
  const auto nodes = static_cast<std::size_t>(input.nodes);
  dotted_.assign(nodes * nodes, {});
  span_cells_.assign(nodes * nodes, {});
  cells_.clear();
  order_.clear();
  edges_to_.assign(nodes, {});
  edge_words_.clear();
  for (std::uint32_t e = 0; e < input.edges.size(); ++e) {
    const InputEdge& edge = input.edges[e];
    const std::uint32_t word =
        edge.prescribed ? StringIndex::kMissing : grammar.source_words.find(edge.word);
    edge_words_.push_back(word == StringIndex::kMissing ? kNoWord : static_cast<Symbol>(word));
    edges_to_[edge.end].push_back(e);
  }
  deadline_ = options_.time_limit > 0.0 ? seconds_now() + options_.time_limit
                                        : std::numeric_limits<double>::infinity();
  growing_.begin(input, forest, deadline_);
  for (int begin = 0; begin < input.nodes; ++begin) dotted(begin, begin).push_back({});
  measure_spans();
  int widest = input.is_lattice ? input.nodes - 1 : std::min(input.nodes - 1, options_.span_limit);
  for (const InputEdge& edge : input.edges) widest = std::max(widest, edge.end - edge.begin);
  for (int width = 1; width <= widest; ++width)
    for (int begin = 0; begin + width < input.nodes; ++begin) fill_span(begin, begin + width);
  glue_together();
}

void ChartSearch::measure_spans() {
  edge_scores_.clear();
  lengths_.clear();
  if (!input_->is_lattice) return;
  constexpr int kNoWay = std::numeric_limits<int>::max();
  const auto nodes = static_cast<std::size_t>(input_->nodes);
  lengths_.assign(nodes * nodes, kNoWay);
  for (std::size_t begin = 0; begin < nodes; ++begin) {
    int* const from_here = lengths_.data() + begin * nodes;
    from_here[begin] = 0;
    for (std::size_t end = begin + 1; end < nodes; ++end)
      for (const std::uint32_t e : edges_to_[end])
        if (const int before = from_here[input_->edges[e].begin]; before != kNoWay)
          from_here[end] = std::min(from_here[end], before + 1);
  }
  for (const InputEdge& edge : input_->edges) edge_scores_.push_back(rules_.arc_score(edge.scores));
}

std::uint32_t ChartSearch::read_on(std::uint32_t arcs, std::uint32_t edge) {
  if (!input_->is_lattice) return kNothing;
  const double before = arcs == kNothing ? 0.0 : forest_->read[arcs].score;
  forest_->read.push_back({arcs, edge, before + edge_scores_[edge]});
  return static_cast<std::uint32_t>(forest_->read.size()) - 1;
}

// Step 1: everything that covers a span.
void ChartSearch::fill_span(int begin, int end) {
  cubes_.clear();
  if (is_short(begin, end) && may_stand(begin, end)) grow_dotted(begin, end);
  for (const std::uint32_t e : edges_to_[end]) {
    const InputEdge& edge = input_->edges[e];
    if (edge.begin != begin) continue;
    const std::uint32_t alone = edge_words_[e] == kNoWord
                                    ? RuleTrie::kNoNode
                                    : grammar_->trie.child(RuleTrie::kRoot, edge_words_[e]);
    const bool unknown = alone == RuleTrie::kNoNode || grammar_->trie.rules(alone).empty();
    if (!unknown && !options_.pass_all) continue;
    const std::uint32_t rule = rules_.copy(edge.prescribed ? kPrescribed : kPassThrough,
                                           static_cast<std::int32_t>(e), edge.copy);
    cubes_.push_back(
        {rule, rule + 1, {kNothing, kNothing}, grammar_->default_label, read_on(kNothing, e)});
  }
  if (cubes_.empty()) return;
  for (const std::int32_t label : label_order_) {
    const std::uint32_t cell = add_cell(label, begin, end);
    if (cell == kNothing) continue;
    cells(begin, end).push_back(cell);
    // Step 5: rules that begin with this cell; those that end with it too are complete.
    const std::uint32_t node = grammar_->trie.child(RuleTrie::kRoot, grammar::nonterminal(label));
    if (node != RuleTrie::kNoNode) add_dotted({node, {cell, kNothing}, 1, kNothing}, begin, end);
  }
}

void ChartSearch::grow_dotted(int begin, int end) {
  for (int middle = begin; middle < end; ++middle) {
    for (const Dotted& shorter : dotted(begin, middle)) {
      for (const std::uint32_t e : edges_to_[end]) {
        if (input_->edges[e].begin != middle || edge_words_[e] == kNoWord) continue;
        const std::uint32_t node = grammar_->trie.child(shorter.node, edge_words_[e]);
        if (node != RuleTrie::kNoNode)
          add_dotted(
              {node, {shorter.cells[0], shorter.cells[1]}, shorter.tails, read_on(shorter.arcs, e)},
              begin, end);
      }
      if (middle == begin) continue;  // its cell is not there yet
      for (const std::uint32_t cell : cells(middle, end)) {
        const std::uint32_t node =
            grammar_->trie.child(shorter.node, grammar::nonterminal(cells_[cell].label));
        if (node == RuleTrie::kNoNode) continue;
        Dotted grown{node, {shorter.cells[0], shorter.cells[1]}, shorter.tails + 1, shorter.arcs};
        grown.cells[shorter.tails] = cell;
        add_dotted(grown, begin, end);
      }
    }
  }
}

void ChartSearch::add_dotted(const Dotted& grown, int begin, int end) {
  if (!grammar_->trie.rules(grown.node).empty() && !splits_zone(grown, begin, end))
    add_cubes(grown);
  if (grammar_->trie.goes_on(grown.node)) dotted(begin, end).push_back(grown);
}

void ChartSearch::add_cubes(const Dotted& complete) {
  const auto [begin, end] = rules_.rules(complete.node);
  for (std::uint32_t first = begin; first < end;) {
    std::uint32_t last = first + 1;
    while (last < end && rules_[last].label == rules_[first].label) ++last;
    cubes_.push_back(
        {first, last, {complete.cells[0], complete.cells[1]}, rules_[first].label, complete.arcs});
    first = last;
  }
}

bool ChartSearch::may_stand(int begin, int end) const {
  for (const int wall : input_->walls)
    if (begin < wall && wall < end) return false;
  for (const auto& [zone_begin, zone_end] : input_->zones) {
    const bool overlaps = begin < zone_end && zone_begin < end;
    const bool inside = zone_begin <= begin && end <= zone_end;
    const bool around = begin <= zone_begin && zone_end <= end;
    if (overlaps && !inside && !around) return false;
  }
  return true;
}

// Whether words of a zone would be translated together with words outside it.
bool ChartSearch::splits_zone(const Dotted& complete, int begin, int end) const {
  for (const auto& [zone_begin, zone_end] : input_->zones) {
    if (zone_begin < begin || zone_end > end || (zone_begin == begin && zone_end == end)) continue;
    bool in_a_tail = false;
    for (int tail = 0; tail < complete.tails; ++tail) {
      const Cell& cell = cells_[complete.cells[tail]];
      in_a_tail = in_a_tail || (cell.from <= zone_begin && zone_end <= cell.to);
    }
    if (!in_a_tail) return true;
  }
  return false;
}

std::uint32_t ChartSearch::add_cell(std::int32_t label, int begin, int end) {
  Cell cell{label, begin, end};
  if (options_.grow ? growing_.add_cell(cubes_, label, begin, end) == kNothing : !prune_cell(cell))
    return kNothing;
  cells_.push_back(cell);
  return static_cast<std::uint32_t>(cells_.size()) - 1;
}

// Steps 3 and 4.
bool ChartSearch::prune_cell(Cell& cell) {
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
  for (int pops = 0; pops < limit && !heap_.empty(); ++pops) {
    std::ranges::pop_heap(heap_, lower);
    const Candidate taken = heap_.back();
    heap_.pop_back();
    best = std::max(best, taken.score);
    if (taken.score < best - options_.beam_threshold) break;
    take(taken, cell);
    offer_neighbours(taken);
    ++forest_->pops;
  }
  cell.begin = static_cast<std::uint32_t>(order_.size());
  for (auto item = first_item; item < forest_->items.size(); ++item) order_.push_back(item);
  std::stable_sort(order_.begin() + cell.begin, order_.end(),
                   [&](std::uint32_t a, std::uint32_t b) {
                     return forest_->items[a].score > forest_->items[b].score;
                   });
  cell.end = static_cast<std::uint32_t>(order_.size());
  return true;
}

void ChartSearch::offer(std::uint32_t number, const std::uint32_t (&ranks)[3]) {
  const Cube& cube = cubes_[number];
  const int models = model_.language_models();
  Candidate candidate;
  candidate.cube = number;
  std::ranges::copy(ranks, candidate.ranks);
  candidate.number = offered_++;
  std::uint32_t items[2] = {kNothing, kNothing};
  for (int tail = 0; tail < 2 && cube.cells[tail] != kNothing; ++tail)
    items[tail] = item_of(cube, tail, ranks[1 + tail]);
  if (free_states_.empty()) {
    candidate.states = static_cast<std::uint32_t>(candidate_states_.size());
    candidate_states_.resize(candidate_states_.size() + models);
  } else {
    candidate.states = free_states_.back();
    free_states_.pop_back();
  }
  candidate.score = cube_edge(cube, cube.rule_begin + ranks[0], items, rules_, *forest_,
                              !input_->goes_on, candidate_states_.data() + candidate.states)
                        .score;
  heap_.push_back(candidate);
  std::ranges::push_heap(heap_, lower);
}

void ChartSearch::offer_neighbours(const Candidate& taken) {
  const Cube cube = cubes_[taken.cube];
  std::uint32_t sizes[3] = {cube.rule_end - cube.rule_begin, 1, 1};
  for (int tail = 0; tail < 2 && cube.cells[tail] != kNothing; ++tail)
    sizes[1 + tail] = cells_[cube.cells[tail]].end - cells_[cube.cells[tail]].begin;
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

// Step 6.
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
    add_goal(std::span(order_).subspan(cells_[cell].begin, cells_[cell].end - cells_[cell].begin),
             rule);
    return;
  }
  const int wanted = std::max(wanted_, kLeastWanted);
  for (int rank = 0; rank < wanted && growing_.item(cell, rank) != kNothing;) ++rank;
  std::vector<std::uint32_t> items(growing_.settle());
  std::iota(items.begin(), items.end(),
            static_cast<std::uint32_t>(forest_->items.size() - items.size()));
  add_goal(items, rule);
}

// All derivations of the whole input are edges of one item, whatever their states.
void ChartSearch::add_goal(std::span<const std::uint32_t> items, std::uint32_t rule) {
  ChartForest& forest = *forest_;
  ChartItem goal;
  std::vector<lm::Fragment> states(model_.language_models());
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
  forest.states.resize(forest.states.size() + model_.language_models());
  forest.reached = true;
}

}  // namespace tunesmith::decode
