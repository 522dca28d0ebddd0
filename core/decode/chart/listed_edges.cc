#include "decode/chart/listed_edges.hh"

#include "decode/chart/reached_items.hh"
#include "graph/kbest.hh"

namespace tunesmith::decode {
namespace {

// The derivations of a forest without features. Words are those of the grammar's target side, and
// those of copies that it does not have.
class BareGraph {
 public:
  BareGraph(const ScoredRules& rules, const ChartGrammar& grammar, const ChartInput& input,
            const ChartForest& forest)
      : rules_(rules), grammar_(grammar), input_(input), forest_(forest), reached_(forest) {
    reached_.visit([&](std::uint32_t e) { add_edge(e); }, [&] { return graph_.close_node(); });
  }

  graph::GraphView view() const { return graph_.view(); }
  std::span<const double> scores() const { return scores_; }
  // Of an edge of the graph, the one of the forest.
  std::uint32_t forest_edge(std::uint32_t edge) const { return edges_[edge]; }

 private:
  void add_edge(std::uint32_t e) {
    const ChartEdge& edge = forest_.edges[e];
    double score = edge.score;
    for (const std::uint32_t tail : edge.tails) {
      if (tail == kNothing) continue;
      score -= forest_.items[tail].score;
      graph_.tails.push_back(reached_.number(tail));
    }
    add_words(rules_[edge.rule]);
    graph_.close_edge();
    scores_.push_back(score);
    edges_.push_back(e);
  }

  void add_words(const ScoredRule& rule) {
    auto& words = graph_.words;
    if (rule.input >= 0) {
      for (const std::string& word : copied_words(rule, input_)) words.push_back(copied(word));
    } else if (rule.rule < 0) {
      for (std::uint32_t tail = 0; tail < rule.size; ++tail)
        words.push_back(graph::tail_slot(static_cast<int>(tail)));
    } else {
      for (const grammar::Symbol symbol : grammar_.rules.target_of(rule.rule))
        words.push_back(grammar::is_nonterminal(symbol)
                            ? graph::tail_slot(grammar::label_or_place(symbol))
                            : static_cast<std::int32_t>(symbol));
    }
  }

  std::int32_t copied(const std::string& word) {
    const std::uint32_t known = grammar_.target_words.find(word);
    return static_cast<std::int32_t>(
        known != StringIndex::kMissing ? known : grammar_.target_words.size() + others_.add(word));
  }

  const ScoredRules& rules_;
  const ChartGrammar& grammar_;
  const ChartInput& input_;
  const ChartForest& forest_;
  ReachedItems reached_;
  graph::Hypergraph graph_;
  StringIndex others_;
  std::vector<double> scores_;
  std::vector<std::uint32_t> edges_;
};

}  // namespace

std::vector<std::uint8_t> listed_edges(const ScoredRules& rules, const ChartGrammar& grammar,
                                       const ChartInput& input, const ChartForest& forest,
                                       const KBestOptions& kbest) {
  std::vector<std::uint8_t> listed(forest.edges.size(), 0);
  if (kbest.size == 1) {
    for (const ChartItem& item : forest.items) listed[item.best] = 1;
    return listed;
  }
  const BareGraph bare(rules, grammar, input, forest);
  const graph::WordYields yields(bare.view());
  graph::KBest list(bare.view(), bare.scores(), kbest.distinct ? &yields : nullptr);
  std::vector<std::uint32_t> edges;
  for (int k = 0; k < kbest.size && list.derivation(k, edges); ++k)
    for (const std::uint32_t edge : edges) listed[bare.forest_edge(edge)] = 1;
  return listed;
}

}  // namespace tunesmith::decode
