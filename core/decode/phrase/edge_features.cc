#include "decode/phrase/edge_features.hh"

#include "decode/pair_worth.hh"
#include "decode/rule_worth.hh"

namespace tunesmith::decode {

void add_edge_features(const PhraseModel& model, const SearchGraph& graph, std::uint32_t index,
                       double* features, SparseVector& sparse) {
  const SearchEdge& edge = graph.edges[index];
  const PreparedRule& rule = *edge.rule;
  add_rule_features(model, rule, features, sparse);
  const PairWorth pair(model);
  pair.add_features(graph.states[edge.tail].last, edge.begin, edge.end, rule.reordering, features);
  const float* lms = graph.edge_lm.data() + std::size_t{index} * model.language_models();
  pair.add_language_models([&](int m) { return lms[m]; }, features);
  if (model.lexical() == nullptr) return;
  features[model.lexical_index()] += rule.lexical;
  if (!graph.edge_lexical.empty()) features[model.lexical_index()] += graph.edge_lexical[index];
}

}  // namespace tunesmith::decode
