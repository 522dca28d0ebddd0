#include "decode/phrase/phrase_kbest.hh"

#include "base/hash.hh"

namespace tunesmith::decode {

PhraseKBest::PhraseKBest(const PhraseModel& model, const SearchGraph& graph, bool distinct)
    : nothing_to_do_(graph.goal == kStartState) {
  if (graph.goal == kNone || nothing_to_do_) return;
  shape_.emplace(graph);
  if (distinct) yields_.emplace(model, graph, *shape_);
  list_.emplace(shape_->graph.view(), shape_->scores, distinct ? &*yields_ : nullptr);
}

bool PhraseKBest::derivation(std::size_t k, std::vector<std::uint32_t>& edges) {
  edges.clear();
  if (nothing_to_do_) return k == 0;
  if (!list_ || !list_->derivation(k, edges)) return false;
  for (std::uint32_t& edge : edges) edge = shape_->edges[edge];
  return true;
}

graph::YieldHash PhraseKBest::Yields::yield(std::uint32_t edge,
                                            std::span<const graph::YieldHash> tails) const {
  graph::YieldHash out = tails.empty() ? graph::YieldHash{} : tails[0];
  const PreparedRule& rule = *graph_.edges[shape_.edges[edge]].rule;
  if (rule.literal != nullptr) {
    for (const std::string& word : *rule.literal)
      out = out.then(graph::YieldHash::of_word(hash_string(word)));
    return out;
  }
  for (const std::uint32_t word : model_.table(rule.table).target(rule.rule))
    out = out.then(graph::YieldHash::of_word(model_.word_hash(rule.table, word)));
  return out;
}

}  // namespace tunesmith::decode
