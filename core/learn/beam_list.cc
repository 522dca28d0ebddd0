#include "learn/beam_list.hh"

#include "decode/phrase_kbest.hh"
#include "metrics/bleu.hh"

namespace tunesmith {
namespace {

template <class Words>
std::string joined(const Words& words) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace

std::vector<BeamTranslation> beam_list(const PhraseModel& model, const SearchGraph& graph,
                                       std::span<const std::string> target, std::size_t size) {
  const BleuScorer scorer({}, {{joined(target)}});
  std::vector<std::int32_t> stats(scorer.size());
  std::vector<std::string_view> words;
  PhraseKBest best(model, graph, true);
  std::vector<BeamTranslation> list;
  std::vector<std::uint32_t> edges;
  while (list.size() < size && best.derivation(list.size(), edges)) {
    words.clear();
    for (const std::uint32_t e : edges) append_words(model, *graph.edges[e].rule, words);
    scorer.stats(0, joined(words), stats.data());
    list.push_back({edges, {stats.begin(), stats.end()}});
  }
  return list;
}

void BeamFeatures::add(const std::vector<std::uint32_t>& edges, double* features,
                       std::vector<std::uint64_t>& keys) const {
  std::vector<std::string_view> words;
  SparseVector named;  // features with names are not learned here
  if (lexical_ != nullptr) lexical_->start();
  for (const std::uint32_t e : edges) {
    add_edge_features(model_, graph_, e, features, named);
    if (lexical_ == nullptr) continue;
    const SearchEdge& edge = graph_.edges[e];
    words.clear();
    append_words(model_, *edge.rule, words);
    lexical_->follow(edge.rule->table, edge.rule->rule, edge.begin, edge.end, words, keys);
  }
}

}  // namespace tunesmith
