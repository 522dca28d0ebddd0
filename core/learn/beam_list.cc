#include "learn/beam_list.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "decode/phrase/phrase_kbest.hh"
#include "metrics/bleu.hh"

namespace tunesmith::learn {
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

// What rounding leaves where all translations share a feature is no change.
constexpr float kNothing = 1e-7F;

void add_up(std::vector<features::KeyChange>& changes) {
  std::stable_sort(
      changes.begin(), changes.end(),
      [](const features::KeyChange& a, const features::KeyChange& b) { return a.key < b.key; });
  std::size_t size = 0;
  for (const features::KeyChange& change : changes) {
    if (size > 0 && changes[size - 1].key == change.key)
      changes[size - 1].change += change.change;
    else
      changes[size++] = change;
  }
  changes.resize(size);
  std::erase_if(changes, [](const features::KeyChange& change) {
    return std::abs(change.change) < kNothing;
  });
}

}  // namespace

std::vector<BeamTranslation> beam_list(const decode::PhraseModel& model,
                                       const decode::SearchGraph& graph,
                                       std::span<const std::string> target, std::size_t size) {
  const metrics::BleuScorer scorer({}, {{joined(target)}});
  std::vector<std::int32_t> stats(scorer.size());
  std::vector<std::string_view> words;
  decode::PhraseKBest best(model, graph, true);
  std::vector<BeamTranslation> list;
  std::vector<std::uint32_t> edges;
  while (list.size() < size && best.derivation(list.size(), edges)) {
    words.clear();
    for (const std::uint32_t e : edges) decode::append_words(model, *graph.edges[e].rule, words);
    scorer.stats(0, joined(words), stats.data());
    list.push_back({edges, {stats.begin(), stats.end()}});
  }
  return list;
}

void BeamFeatures::add_dense(const std::vector<std::uint32_t>& edges, double* features) const {
  SparseVector named;
  for (const std::uint32_t e : edges) decode::add_edge_features(model_, graph_, e, features, named);
}

void BeamFeatures::add(const std::vector<std::uint32_t>& edges, double* features,
                       std::vector<std::uint64_t>& keys, SparseVector& named) const {
  for (const std::uint32_t e : edges) decode::add_edge_features(model_, graph_, e, features, named);
  if (lexical_ == nullptr) return;
  std::vector<std::string_view> words;
  lexical_->start();
  for (const std::uint32_t e : edges) {
    const decode::SearchEdge& edge = graph_.edges[e];
    words.clear();
    decode::append_words(model_, *edge.rule, words);
    lexical_->follow(edge.rule->table, edge.rule->rule, edge.begin, edge.end, words, keys);
  }
}

std::vector<features::KeyChange> BeamFeatures::lexical_sum(
    const std::vector<BeamTranslation>& list, const std::vector<double>& shares) const {
  std::vector<features::KeyChange> sum;
  if (lexical_ == nullptr) return sum;
  std::vector<std::uint64_t> keys;
  const auto append = [&](double share) {
    for (const std::uint64_t key : keys) sum.push_back({key, static_cast<float>(share)});
    keys.clear();
  };
  // (table, rule, begin, end) → the shares of all translations with this phrase.
  std::map<std::array<std::uint32_t, 4>, double> phrases;
  std::vector<std::string_view> words;
  for (std::size_t k = 0; k < list.size(); ++k) {
    lexical_->start();
    for (const std::uint32_t e : list[k].edges) {
      const decode::SearchEdge& edge = graph_.edges[e];
      phrases[{static_cast<std::uint32_t>(edge.rule->table), edge.rule->rule,
               static_cast<std::uint32_t>(edge.begin), static_cast<std::uint32_t>(edge.end)}] +=
          shares[k];
      words.clear();
      decode::append_words(model_, *edge.rule, words);
      lexical_->follow_history(edge.rule->table, edge.rule->rule, edge.begin, edge.end, words,
                               keys);
    }
    append(shares[k]);
  }
  for (const auto& [phrase, share] : phrases) {
    if (std::abs(share) < kNothing) continue;
    lexical_->local(static_cast<int>(phrase[0]), phrase[1], static_cast<int>(phrase[2]),
                    static_cast<int>(phrase[3]), keys);
    append(share);
  }
  add_up(sum);
  return sum;
}

}  // namespace tunesmith::learn
