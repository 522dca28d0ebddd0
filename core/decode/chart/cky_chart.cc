#include "decode/chart/cky_chart.hh"

#include <algorithm>
#include <limits>

#include "decode/chart/unary_order.hh"

namespace tunesmith::decode {

using grammar::Symbol;

namespace {

// An edge of the input that no rule can look at.
constexpr Symbol kNoWord = std::numeric_limits<Symbol>::max();

}  // namespace

CkyChart::CkyChart(const ChartModel& model, std::span<const double> weights,
                   const ChartOptions& options)
    : model_(model), options_(options), rules_(model, weights) {}

void CkyChart::begin(const ChartInput& input, const ChartGrammar& grammar, int rule_limit,
                     ChartForest& forest) {
  input_ = &input;
  grammar_ = &grammar;
  forest_ = &forest;
  forest.clear(model_.language_models(), input.watches_borders);
  rules_.begin(grammar, rule_limit, input.forbidden);
  label_order_ = unary_order(grammar);
  const auto nodes = static_cast<std::size_t>(input.nodes);
  dotted_.assign(nodes * nodes, {});
  span_cells_.assign(nodes * nodes, {});
  cells_.clear();
  edges_to_.assign(nodes, {});
  edge_words_.clear();
  for (std::uint32_t e = 0; e < input.edges.size(); ++e) {
    const InputEdge& edge = input.edges[e];
    const std::uint32_t word =
        edge.prescribed ? StringIndex::kMissing : grammar.source_words.find(edge.word);
    edge_words_.push_back(word == StringIndex::kMissing ? kNoWord : static_cast<Symbol>(word));
    edges_to_[edge.end].push_back(e);
  }
  for (int node = 0; node < input.nodes; ++node) dotted_[place(node, node)].push_back({});
  measure_spans();
}

void CkyChart::fill() {
  const int last = input_->nodes - 1;
  int widest = input_->is_lattice ? last : std::min(last, options_.span_limit);
  for (const InputEdge& edge : input_->edges) widest = std::max(widest, edge.end - edge.begin);
  for (int width = 1; width <= widest; ++width)
    for (int begin = 0; begin + width <= last; ++begin) fill_span(begin, begin + width);
}

void CkyChart::measure_spans() {
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

std::uint32_t CkyChart::read_on(std::uint32_t arcs, std::uint32_t edge) {
  if (!input_->is_lattice) return kNothing;
  const double before = arcs == kNothing ? 0.0 : forest_->read[arcs].score;
  forest_->read.push_back({arcs, edge, before + edge_scores_[edge]});
  return static_cast<std::uint32_t>(forest_->read.size()) - 1;
}

void CkyChart::fill_span(int begin, int end) {
  cubes_.clear();
  if (is_short(begin, end) && may_stand(begin, end)) grow_dotted(begin, end);
  for (const std::uint32_t e : edges_to_[end]) {
    const InputEdge& edge = input_->edges[e];
    if (edge.begin != begin) continue;
    const std::uint32_t alone = edge_words_[e] == kNoWord
                                    ? RuleTrie::kNoNode
                                    : grammar_->trie.child(RuleTrie::kRoot, edge_words_[e]);
    const bool unknown = alone == RuleTrie::kNoNode || !rules_.has_rules(alone);
    const auto add_copy = [&](std::span<const std::string> words) {
      const std::uint32_t rule = rules_.copy(edge.prescribed ? kPrescribed : kPassThrough,
                                             static_cast<std::int32_t>(e), words, edge.unknown);
      cubes_.push_back(
          {rule, rule + 1, {kNothing, kNothing}, grammar_->default_label, read_on(kNothing, e)});
    };
    const bool copies = unknown || (options_.pass_all && !edge.forbidden_copy);
    if (copies) add_copy(edge.copy);
    if (input_->may_drop && !edge.prescribed && !(copies && edge.copy.empty())) add_copy({});
  }
  if (cubes_.empty()) return;
  for (const std::int32_t label : label_order_) {
    const std::uint32_t cell = add_cell(label, begin, end);
    if (cell == kNothing) continue;
    span_cells_[place(begin, end)].push_back(cell);
    // Step 4: rules that begin with this cell; those that end with it too are complete.
    const std::uint32_t node = grammar_->trie.child(RuleTrie::kRoot, grammar::nonterminal(label));
    if (node != RuleTrie::kNoNode) add_dotted({node, {cell, kNothing}, 1, kNothing}, begin, end);
  }
}

void CkyChart::grow_dotted(int begin, int end) {
  for (int middle = begin; middle < end; ++middle) {
    for (const Dotted& shorter : dotted_[place(begin, middle)]) {
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

void CkyChart::add_dotted(const Dotted& grown, int begin, int end) {
  if (!grammar_->trie.rules(grown.node).empty() && !splits_zone(grown, begin, end))
    add_cubes(grown);
  if (grammar_->trie.goes_on(grown.node)) dotted_[place(begin, end)].push_back(grown);
}

void CkyChart::add_cubes(const Dotted& complete) {
  const auto [begin, end] = rules_.rules(complete.node);
  for (std::uint32_t first = begin; first < end;) {
    std::uint32_t last = first + 1;
    while (last < end && rules_[last].label == rules_[first].label) ++last;
    cubes_.push_back(
        {first, last, {complete.cells[0], complete.cells[1]}, rules_[first].label, complete.arcs});
    first = last;
  }
}

bool CkyChart::may_stand(int begin, int end) const {
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

bool CkyChart::splits_zone(const Dotted& complete, int begin, int end) const {
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

std::uint32_t CkyChart::add_cell(std::int32_t label, int begin, int end) {
  const Cell cell{label, begin, end};
  if (!fill_cell(cell)) return kNothing;
  cells_.push_back(cell);
  return static_cast<std::uint32_t>(cells_.size()) - 1;
}

}  // namespace tunesmith::decode
