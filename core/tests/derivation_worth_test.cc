// Search, lists, steps of derivations and forced decoding agree on what a derivation is worth,
// under a reordering model whose scores depend on the place of a rule in its sentence.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "decode/phrase/phrase_decoder.hh"
#include "learn/gold_scores.hh"
#include "tests/aligned_text.hh"

using namespace tunesmith;

namespace {

constexpr double kClose = 1e-3;

// Made-up scores of the rule's size, of its place and of the words beside it.
class PlacedReordering final : public decode::ReorderingModel {
 public:
  using ReorderingModel::ReorderingModel;
  const float* of_rule(const decode::PhraseRule& /*rule*/) const override { return nullptr; }
  bool sees_place() const override { return true; }
  const float* in_place(const decode::PhraseRule& rule, const decode::PlaceReordering& at_place,
                        decode::Arena& arena) const override {
    const decode::RulePlace& place = at_place.place;
    auto* scores = arena.make<float>(size());
    const std::size_t around =
        place.word(place.begin - 1).size() + 2 * place.word(place.end).size();
    for (int i = 0; i < size(); ++i)
      scores[i] = -0.1F * static_cast<float>((3 * i + 5 * place.begin + 7 * place.end + around +
                                              rule.source_size + 2 * rule.target_size) %
                                             11);
    return scores;
  }
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool close(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return std::abs(x - y) < kClose; });
}

// What forced decoding makes of the best derivation of a translation.
bool forced_agrees(const decode::PhraseModel& model, const std::vector<double>& weights,
                   const decode::SourceSentence& sentence,
                   const std::vector<decode::Translation>& list, int distortion_limit) {
  decode::TrainingPair pair;
  pair.source = sentence.words;
  pair.target = words_of(list[0].text);
  decode::ForcedOptions options;
  options.distortion_limit = distortion_limit;
  decode::ForcedSearch forced(model, options);
  const decode::GoldLattice& lattice = forced.run(pair);
  if (!lattice.whole) return false;
  const learn::GoldScores gold(model, weights, lattice, pair.source, pair.target, nullptr);
  const std::uint32_t last = gold.best_edge(lattice.source_words);
  std::vector<decode::DerivationStep> steps;
  for (const std::uint32_t e : gold.derivation(last)) {
    const decode::GoldEdge& edge = lattice.edges[e];
    const bool known = edge.rule != grammar::kNoRule;
    steps.push_back({edge.begin, edge.end,
                     static_cast<std::int32_t>(lattice.nodes[edge.tail].target),
                     static_cast<std::int32_t>(lattice.nodes[edge.head].target), edge.table,
                     known ? static_cast<std::int64_t>(edge.rule) : -1});
  }
  std::vector<double> features(model.features(), 0.0);
  gold.add_features(gold.derivation(last), features.data());
  const auto again = decode::derivation_features(model, sentence, steps, list[0].text);
  if (!close(features, again.dense)) return false;
  if (std::abs(gold.score(last) - dot(features, weights)) > kClose) return false;
  // Nothing is pruned, so the best derivation of the list's first text is there too.
  return gold.score(last) > list[0].score - kClose;
}

int run(const AlignedText& text, const std::string& path, grammar::OrientationClasses classes) {
  const decode::PhraseModel model(
      {std::make_shared<grammar::PhraseTable>(path)}, {estimate(text)},
      std::make_shared<PlacedReordering>(decode::ReorderingShape{classes, true, true}));
  std::vector<double> weights(model.weights(), 0.3);
  weights[model.plain_begin() + decode::kWordPenalty] = -0.1;
  decode::SearchOptions options;
  options.pop_limit = 200;
  decode::PhraseSession session(model, weights, options);
  std::vector<decode::SourceSentence> sentences;
  for (std::size_t s = 0; s < text.source.size(); s += 20) {
    decode::SourceSentence sentence;
    sentence.words = words_of(text.source[s]);
    sentences.push_back(sentence);
  }
  decode::KBestOptions kbest;
  kbest.size = 10;
  std::vector<double> searched(sentences.size());
  const auto results = decode_phrases(session, sentences, kbest, 1,
                                      [&](std::size_t s, const decode::SearchGraph& graph) {
                                        searched[s] = graph.states[graph.goal].score;
                                      });
  double reordering = 0.0;
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto& list = results[s].translations;
    if (std::abs(searched[s] - list[0].score) > kClose) return 3;
    for (const decode::Translation& one : list) {
      const auto again = decode::derivation_features(model, sentences[s], one.steps, one.text);
      if (!close(one.features.dense, again.dense)) return 4;
      for (int i = model.reordering_begin(); i < model.plain_begin(); ++i)
        reordering += std::abs(again.dense[i]);
    }
    if (!forced_agrees(model, weights, sentences[s], list, options.distortion_limit)) return 5;
  }
  return reordering > 0.0 ? 0 : 6;
}

}  // namespace

int main() {
  const AlignedText text = make_text(600);
  const std::string path = build_table(text, "derivation_worth_test", 1);
  int status = run(text, path, grammar::OrientationClasses::kMsd);
  if (status == 0) status = run(text, path, grammar::OrientationClasses::kMslr);
  std::remove(path.c_str());
  return status;
}
