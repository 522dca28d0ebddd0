#include "decode/chart/forced_chart.hh"

#include <algorithm>

#include "base/error.hh"
#include "decode/chart/unary_order.hh"

namespace tunesmith::decode {

using grammar::is_nonterminal;
using grammar::label_or_place;
using grammar::Symbol;

namespace {

// A word that the target does not have.
constexpr Symbol kElsewhere = static_cast<Symbol>(0x7FFFFFFF);

}  // namespace

ForcedChart::ForcedChart(const ChartModel& model, std::span<const double> weights,
                         const ChartOptions& options)
    : model_(model), options_(options), rules_(model, weights) {}

void ForcedChart::run(const ChartInput& input, const ChartGrammar& grammar,
                      const std::vector<std::string>& target, ChartForest& forest) {
  if (input.is_lattice || !input.walls.empty() || !input.zones.empty())
    throw OptionError("forced decoding of a lattice, walls or zones, expected a plain sentence");
  input_ = &input;
  grammar_ = &grammar;
  forest_ = &forest;
  forest.clear(model_.language_models());
  rules_.begin(grammar, 0);
  label_order_ = unary_order(grammar);
  words_ = {};
  target_.clear();
  for (const std::string& word : target) target_.push_back(static_cast<Symbol>(words_.add(word)));
  const auto nodes = static_cast<std::size_t>(input.nodes);
  dotted_.assign(nodes * nodes, {});
  span_cells_.assign(nodes * nodes, {});
  cells_.clear();
  places_.clear();
  edges_to_.assign(nodes, {});
  for (std::uint32_t e = 0; e < input.edges.size(); ++e) edges_to_[input.edges[e].end].push_back(e);
  for (int begin = 0; begin < input.nodes; ++begin) dotted(begin, begin).push_back({});
  for (int width = 1; width < input.nodes; ++width)
    for (int begin = 0; begin + width < input.nodes; ++begin) fill_span(begin, begin + width);
  glue_together();
}

void ForcedChart::fill_span(int begin, int end) {
  complete_.clear();
  if (end - begin <= options_.span_limit) grow_dotted(begin, end);
  for (const std::uint32_t e : edges_to_[end]) {
    const InputEdge& edge = input_->edges[e];
    if (edge.begin != begin) continue;
    const std::uint32_t word = grammar_->source_words.find(edge.word);
    const std::uint32_t alone =
        edge.prescribed || word == StringIndex::kMissing
            ? RuleTrie::kNoNode
            : grammar_->trie.child(RuleTrie::kRoot, static_cast<Symbol>(word));
    const bool unknown = alone == RuleTrie::kNoNode || grammar_->trie.rules(alone).empty();
    if (!unknown && !options_.pass_all) continue;
    const std::uint32_t rule = rules_.copy(edge.prescribed ? kPrescribed : kPassThrough,
                                           static_cast<std::int32_t>(e), edge.copy);
    complete_.push_back({rule, rule + 1, {kNothing, kNothing}, grammar_->default_label});
  }
  for (const std::int32_t label : label_order_) {
    const std::uint32_t cell = fill_cell(label, begin, end);
    if (cell == kNothing) continue;
    cells(begin, end).push_back(cell);
    const std::uint32_t node = grammar_->trie.child(RuleTrie::kRoot, grammar::nonterminal(label));
    if (node != RuleTrie::kNoNode) add_dotted({node, {cell, kNothing}, 1}, begin, end);
  }
}

void ForcedChart::grow_dotted(int begin, int end) {
  for (int middle = begin; middle < end; ++middle) {
    for (const Dotted& shorter : dotted(begin, middle)) {
      for (const std::uint32_t e : edges_to_[end]) {
        const InputEdge& edge = input_->edges[e];
        const std::uint32_t word = grammar_->source_words.find(edge.word);
        if (edge.begin != middle || edge.prescribed || word == StringIndex::kMissing) continue;
        const std::uint32_t node = grammar_->trie.child(shorter.node, static_cast<Symbol>(word));
        if (node != RuleTrie::kNoNode)
          add_dotted({node, {shorter.cells[0], shorter.cells[1]}, shorter.tails}, begin, end);
      }
      if (middle == begin) continue;  // its cell is not there yet
      for (const std::uint32_t cell : cells(middle, end)) {
        const std::uint32_t node =
            grammar_->trie.child(shorter.node, grammar::nonterminal(cells_[cell].label));
        if (node == RuleTrie::kNoNode) continue;
        Dotted grown{node, {shorter.cells[0], shorter.cells[1]}, shorter.tails + 1};
        grown.cells[shorter.tails] = cell;
        add_dotted(grown, begin, end);
      }
    }
  }
}

void ForcedChart::add_dotted(const Dotted& grown, int begin, int end) {
  if (!grammar_->trie.rules(grown.node).empty()) {
    const auto [first, last] = rules_.rules(grown.node);
    for (std::uint32_t from = first; from < last;) {
      std::uint32_t to = from + 1;
      while (to < last && rules_[to].label == rules_[from].label) ++to;
      complete_.push_back({from, to, {grown.cells[0], grown.cells[1]}, rules_[from].label});
      from = to;
    }
  }
  if (grammar_->trie.goes_on(grown.node)) dotted(begin, end).push_back(grown);
}

std::uint32_t ForcedChart::fill_cell(std::int32_t label, int begin, int end) {
  const auto first = static_cast<std::uint32_t>(forest_->items.size());
  here_.clear();
  for (const Complete& complete : complete_)
    if (complete.label == label)
      for (std::uint32_t rule = complete.rule_begin; rule < complete.rule_end; ++rule)
        place_rule(rule, complete.cells, begin, end);
  if (forest_->items.size() == first) return kNothing;
  Cell cell{label, {}};
  for (auto item = first; item < forest_->items.size(); ++item) cell.items.push_back(item);
  cells_.push_back(std::move(cell));
  return static_cast<std::uint32_t>(cells_.size()) - 1;
}

void ForcedChart::read_target_side(const ScoredRule& rule) {
  side_.clear();
  const auto add = [&](std::string_view word) {
    const std::uint32_t number = words_.find(word);
    side_.push_back(number == StringIndex::kMissing ? kElsewhere : static_cast<Symbol>(number));
  };
  if (rule.input >= 0) {
    for (const std::string& word : input_->edges[rule.input].copy) add(word);
    return;
  }
  for (const Symbol symbol : grammar_->rules.target_of(rule.rule)) {
    if (is_nonterminal(symbol))
      side_.push_back(symbol);
    else
      add(grammar_->target_words.text(static_cast<std::uint32_t>(symbol)));
  }
}

void ForcedChart::place_rule(std::uint32_t rule, const std::uint32_t (&cells)[2], int begin,
                             int end) {
  read_target_side(rules_[rule]);
  if (std::ranges::count(side_, kElsewhere) > 0) return;
  Place place;
  const auto gap = std::ranges::find_if(side_, is_nonterminal);
  if (gap == side_.end()) {
    for (int at = 0; at + side_.size() <= target_.size(); ++at)
      if (fits({kNothing, kNothing}, at, place))
        add_edge(rule, {kNothing, kNothing}, place, begin, end);
    return;
  }
  // The first gap's item tells where the rule begins.
  const int before = static_cast<int>(gap - side_.begin()), first = label_or_place(*gap);
  const std::vector<std::uint32_t> alone{kNothing};
  const auto& others = cells[1] == kNothing ? alone : cells_[cells[1]].items;
  for (const std::uint32_t one : cells_[cells[0]].items)
    for (const std::uint32_t other : others) {
      const std::uint32_t tails[2] = {one, other};
      if (fits(tails, places_[tails[first]].begin - before, place))
        add_edge(rule, tails, place, begin, end);
    }
}

bool ForcedChart::fits(const std::uint32_t (&tails)[2], int at, Place& place) const {
  if (at < 0) return false;
  place.begin = at;
  for (const Symbol symbol : side_) {
    if (is_nonterminal(symbol)) {
      const Place& inside = places_[tails[label_or_place(symbol)]];
      if (inside.begin != at) return false;
      at = inside.end;
    } else {
      if (at >= static_cast<int>(target_.size()) || target_[at] != symbol) return false;
      ++at;
    }
  }
  place.end = at;
  return true;
}

void ForcedChart::add_edge(std::uint32_t rule, const std::uint32_t (&tails)[2], Place place,
                           int begin, int end) {
  ChartForest& forest = *forest_;
  ChartEdge edge;
  edge.rule = rule;
  edge.begin = begin;
  edge.end = end;
  edge.score = rules_[rule].own;
  const lm::Fragment* states[2] = {nullptr, nullptr};
  for (int tail = 0; tail < 2 && tails[tail] != kNothing; ++tail) {
    edge.tails[tail] = tails[tail];
    edge.score += forest.items[tails[tail]].score;
    states[tail] = forest.state(tails[tail]);
  }
  std::vector<lm::Fragment> made;
  for (int m = 0; m < model_.language_models(); ++m) {
    const lm::Scorer scorer = rules_.read(rules_[rule], m, states, !input_->goes_on);
    edge.score += rules_.lm_weight(m) * scorer.score();
    made.push_back(scorer.result());
  }
  const std::uint64_t key =
      static_cast<std::uint64_t>(place.begin) << 32 | static_cast<std::uint32_t>(place.end);
  const auto number = static_cast<std::uint32_t>(forest.edges.size());
  const auto [found, is_new] =
      here_.try_emplace(key, static_cast<std::uint32_t>(forest.items.size()));
  if (is_new) {
    forest.items.push_back({edge.score, number, number});
    forest.states.insert(forest.states.end(), made.begin(), made.end());
    places_.push_back(place);
  } else {
    ChartItem& item = forest.items[found->second];
    edge.next = item.edges;
    item.edges = number;
    if (edge.score > item.score) {
      item.score = edge.score;
      item.best = number;
    }
  }
  forest.edges.push_back(edge);
  ++forest.pops;
}

void ForcedChart::glue_together() {
  const std::uint32_t first = rules_.glue(kFirstGlue), more = rules_.glue(kGlue),
                      goal = rules_.glue(kGoal);
  std::vector<std::vector<std::uint32_t>> sentences(input_->nodes);  // items of S by their ends
  for (int end = 1; end < input_->nodes; ++end) {
    here_.clear();
    const auto begin = static_cast<std::uint32_t>(forest_->items.size());
    for (const std::uint32_t cell : cells(0, end))
      for (const std::uint32_t item : cells_[cell].items)
        if (places_[item].begin == 0) add_edge(first, {item, kNothing}, places_[item], 0, end);
    for (int middle = 1; middle < end; ++middle)
      for (const std::uint32_t before : sentences[middle])
        for (const std::uint32_t cell : cells(middle, end))
          for (const std::uint32_t item : cells_[cell].items)
            if (places_[item].begin == places_[before].end)
              add_edge(more, {before, item}, {0, places_[item].end}, 0, end);
    for (auto item = begin; item < forest_->items.size(); ++item) sentences[end].push_back(item);
  }
  here_.clear();
  const int words = static_cast<int>(target_.size());
  for (const std::uint32_t item : sentences.back())
    if (places_[item].end == words) {
      add_edge(goal, {item, kNothing}, {0, words}, 0, input_->nodes - 1);
      forest_->reached = true;
    }
}

}  // namespace tunesmith::decode
