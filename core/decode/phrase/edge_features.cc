#include "decode/phrase/edge_features.hh"

#include <cmath>

namespace tunesmith::decode {

void add_edge_features(const PhraseModel& model, const SearchGraph& graph, std::uint32_t index,
                       double* features, SparseVector& sparse) {
  const SearchEdge& edge = graph.edges[index];
  const SearchState& tail = graph.states[edge.tail];
  const PreparedRule& rule = *edge.rule;
  add_rule_features(model, rule, features, sparse);
  const ReorderingShape& shape = model.reordering();
  const int o = orientation(tail.last_begin, tail.last_end, edge.begin, edge.end,
                            shape.classes == Orientations::kMslr);
  double* reordering = features + model.reordering_begin();
  if (shape.previous && rule.reordering != nullptr) reordering[o] += rule.reordering[o];
  if (shape.next) reordering[shape.next_begin() + o] += tail.next_scores[o];
  features[model.distortion_index()] -= std::abs(edge.begin - tail.last_end);
  if (!graph.edge_lexical.empty()) features[model.lexical_index()] += graph.edge_lexical[index];
  for (int m = 0; m < model.language_models(); ++m)
    features[model.lm_begin() + m] += graph.edge_lm[index * model.language_models() + m];
}

}  // namespace tunesmith::decode
