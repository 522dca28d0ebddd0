#include "decode/chart/chart_graph.hh"

#include <unordered_map>
#include <utility>

#include "base/sparse_vector.hh"
#include "decode/chart/reached_items.hh"

namespace tunesmith::decode {

using grammar::is_nonterminal;
using grammar::label_or_place;
using grammar::Symbol;

namespace {

class ChartExporter {
 public:
  ChartExporter(const ChartModel& model, const ScoredRules& rules, const ChartGrammar& grammar,
                const ChartInput& input, const ChartForest& forest,
                std::span<const std::uint8_t> keep)
      : model_(model),
        rules_(rules),
        grammar_(grammar),
        input_(input),
        forest_(forest),
        reached_(forest, keep),
        features_(model.features()) {}

  ChartGraph run() {
    if (input_.is_lattice) out_.arc_offsets.push_back(0);
    reached_.visit([&](std::uint32_t e) { add_edge(e); }, [&] { return out_.graph.close_node(); });
    return std::move(out_);
  }

 private:
  void add_edge(std::uint32_t number) {
    const ChartEdge& edge = forest_.edges[number];
    const ScoredRule& rule = rules_[edge.rule];
    for (const std::uint32_t tail : edge.tails)
      if (tail != kNothing) out_.graph.tails.push_back(reached_.number(tail));
    add_words(rule);
    rules_.features(rule, features_);
    if (input_.is_lattice) add_arcs(forest_.edge_arcs[number]);
    add_features(edge, rule);
    out_.graph.close_edge(edge.begin, edge.end);
    out_.rules.push_back(rule.rule);
  }

  void add_words(const ScoredRule& rule) {
    const auto add = [&](std::string_view word) {
      out_.graph.words.push_back(static_cast<std::int32_t>(out_.words.add(word)));
    };
    if (rule.input >= 0) {
      for (const std::string& word : copied_words(rule, input_)) add(word);
    } else if (rule.rule < 0) {
      for (std::uint32_t tail = 0; tail < rule.size; ++tail)
        out_.graph.words.push_back(graph::tail_slot(static_cast<int>(tail)));
    } else {
      for (const Symbol symbol : grammar_.rules.target_of(rule.rule)) {
        if (is_nonterminal(symbol))
          out_.graph.words.push_back(graph::tail_slot(label_or_place(symbol)));
        else
          add(grammar_.target_words.text(static_cast<std::uint32_t>(symbol)));
      }
    }
  }

  void add_arcs(std::uint32_t read) {
    for (; read != kNothing; read = forest_.read[read].before) {
      const std::uint32_t edge = forest_.read[read].edge;
      out_.arcs.push_back(edge);
      const auto& scores = input_.edges[edge].scores;
      for (std::size_t i = 0; i < scores.size(); ++i)
        features_[model_.arc_begin() + i] += scores[i];
    }
    out_.arc_offsets.push_back(out_.arcs.size());
  }

  // Adds what language models say to the features of the rule.
  void add_features(const ChartEdge& edge, const ScoredRule& rule) {
    const lm::Fragment* tails[2] = {nullptr, nullptr};
    for (int tail = 0; tail < 2; ++tail)
      if (edge.tails[tail] != kNothing) tails[tail] = forest_.state(edge.tails[tail]);
    for (int m = 0; m < model_.language_models(); ++m)
      features_[model_.lm_begin() + m] +=
          static_cast<double>(rules_.read(rule, m, tails, !input_.goes_on).score()) * lm::kLn10;
    for (std::uint32_t i = 0; i < features_.size(); ++i) {
      if (features_[i] == 0.0) continue;
      out_.graph.feature_ids.push_back(i);
      out_.graph.feature_values.push_back(static_cast<float>(features_[i]));
    }
    if (grammar_.sparse == nullptr || rule.rule < 0) return;
    const SparseVector& row = sparse_row(static_cast<std::uint32_t>(rule.rule));
    out_.graph.feature_ids.insert(out_.graph.feature_ids.end(), row.ids.begin(), row.ids.end());
    out_.graph.feature_values.insert(out_.graph.feature_values.end(), row.values.begin(),
                                     row.values.end());
  }

  // The sparse features of a rule with ids of this graph.
  const SparseVector& sparse_row(std::uint32_t rule) {
    const auto [found, is_new] = rows_.try_emplace(rule);
    SparseVector& row = found->second;
    if (!is_new) return row;
    fired_.clear();
    grammar_.sparse->add(rule, scratch_, fired_);
    for (std::uint32_t place = 0; place < fired_.size(); ++place) {
      const auto id = static_cast<std::uint32_t>(features_.size() + out_.sparse.size());
      const auto [feature, is_first] = sparse_ids_.try_emplace(fired_[place].key, id);
      if (is_first) out_.sparse.push_back({fired_[place].key, rule, place});
      row.add(feature->second, fired_[place].value);
    }
    row.sum_up();
    return row;
  }

  const ChartModel& model_;
  const ScoredRules& rules_;
  const ChartGrammar& grammar_;
  const ChartInput& input_;
  const ChartForest& forest_;
  ReachedItems reached_;
  std::vector<double> features_;
  std::unordered_map<std::uint32_t, SparseVector> rows_;         // by rule
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_ids_;  // by the hashes of their names
  features::FeatureScratch scratch_;
  std::vector<features::RuleFeature> fired_;
  ChartGraph out_;
};

}  // namespace

ChartGraph chart_graph(const ChartModel& model, const ScoredRules& rules,
                       const ChartGrammar& grammar, const ChartInput& input,
                       const ChartForest& forest, std::span<const std::uint8_t> keep) {
  if (!forest.reached) {
    ChartGraph nothing;
    nothing.graph.close_edge();
    nothing.graph.close_node();
    nothing.rules.push_back(kGoal);
    return nothing;
  }
  return ChartExporter(model, rules, grammar, input, forest, keep).run();
}

}  // namespace tunesmith::decode
