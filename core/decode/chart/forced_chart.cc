#include "decode/chart/forced_chart.hh"

#include <algorithm>

#include "base/error.hh"

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
    : CkyChart(model, weights, options) {}

void ForcedChart::run(const ChartInput& input, const ChartGrammar& grammar,
                      const std::vector<std::string>& target, ChartForest& forest) {
  if (input.is_lattice || !input.walls.empty() || !input.zones.empty())
    throw OptionError("forced decoding of a lattice, walls or zones, expected a plain sentence");
  begin(input, grammar, 0, forest);
  items_.clear();
  places_.clear();
  words_ = {};
  target_.clear();
  for (const std::string& word : target) target_.push_back(static_cast<Symbol>(words_.add(word)));
  fill();
  glue_together();
}

bool ForcedChart::fill_cell(const Cell& cell) {
  const auto first = static_cast<std::uint32_t>(forest_->items.size());
  here_.clear();
  for (const Cube& cube : cubes_)
    if (cube.label == cell.label)
      for (std::uint32_t rule = cube.rule_begin; rule < cube.rule_end; ++rule)
        place_rule(rule, cube.cells, cell.from, cell.to);
  if (forest_->items.size() == first) return false;
  items_.emplace_back();
  for (auto item = first; item < forest_->items.size(); ++item) items_.back().push_back(item);
  return true;
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
  const auto& others = cells[1] == kNothing ? alone : items_[cells[1]];
  for (const std::uint32_t one : items_[cells[0]])
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
  std::vector<lm::Fragment> made(forest.state_size);
  ChartEdge edge =
      cube_edge({rule, rule + 1}, rule, tails, rules_, forest, !input_->goes_on, made.data());
  edge.begin = begin;
  edge.end = end;
  const std::uint64_t key =
      static_cast<std::uint64_t>(place.begin) << 32 | static_cast<std::uint32_t>(place.end);
  const auto [found, is_new] =
      here_.try_emplace(key, static_cast<std::uint32_t>(forest.items.size()));
  if (is_new) {
    forest.add_item(edge, made.data());
    places_.push_back(place);
  } else {
    forest.add_edge(found->second, edge);
  }
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
      for (const std::uint32_t item : items_[cell])
        if (places_[item].begin == 0) add_edge(first, {item, kNothing}, places_[item], 0, end);
    for (int middle = 1; middle < end; ++middle)
      for (const std::uint32_t before : sentences[middle])
        for (const std::uint32_t cell : cells(middle, end))
          for (const std::uint32_t item : items_[cell])
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
