#include "graph/bleu_space.hh"

#include <algorithm>

#include "engine/parallel.hh"
#include "graph/viterbi.hh"

namespace tunesmith::graph {

namespace {

// Substitutions must gain more than rounding could.
constexpr double kLeastGain = 1e-12;
constexpr int kMostSweeps = 100;

}  // namespace

BleuSpace::BleuSpace(const GraphPoolView& pool, const StringIndex& vocabulary,
                     const metrics::BleuScorer& scorer, std::span<const std::uint32_t> sentences,
                     int threads)
    : pool_(pool), scorer_(scorer), bleu_(sentences.size()) {
  for (std::size_t s = 0; s < sentences.size(); ++s)
    graphs_.push_back(pool.sentence(static_cast<std::int64_t>(s)));
  std::vector<std::vector<std::uint32_t>> symbols(engine::resolve_threads(threads));
  engine::parallel_for_worker(
      sentences.size(), threads,
      [&](std::size_t s, int worker) {
        auto& mine = symbols[worker];
        mine.resize(vocabulary.size());
        for (const std::int32_t word : graphs_[s].words)
          if (!is_tail_slot(word))
            mine[word] =
                scorer.symbol(sentences[s], vocabulary.text(static_cast<std::uint32_t>(word)));
        bleu_[s] = std::make_unique<BleuGraph>(graphs_[s], mine, scorer, sentences[s]);
      },
      4);
}

void BleuDecoder::linearise(const metrics::BleuScorer& scorer, const BleuObjective& objective) {
  const auto order = static_cast<std::size_t>(scorer.order());
  const metrics::Gain& gain = *objective.gain;
  sums_.assign(objective.around.begin(), objective.around.end());
  const double here = gain(sums_.data());
  linear_.match.resize(order);
  for (std::size_t n = 0; n < order; ++n) {
    sums_[n] += 1.0;
    linear_.match[n] = objective.factor * (gain(sums_.data()) - here);
    sums_[n] -= 1.0;
  }
  for (std::size_t n = 0; n < order; ++n) sums_[order + n] += 1.0;
  sums_[2 * order] += scorer.length_unit();
  linear_.word = objective.factor * (gain(sums_.data()) - here);
}

const BleuChoice& BleuDecoder::best(const BleuSpace& space, std::int64_t sentence,
                                    std::span<const double> scores,
                                    const BleuObjective& objective) {
  linearise(space.scorer(), objective);
  search_.run(space.graph(sentence), space.bleu(sentence), scores, linear_);
  stats_.resize(objective.background.size());
  std::size_t best = 0;
  for (std::size_t i = 0; i < search_.size(); ++i) {
    search_.stats(i, stats_.data());
    for (std::size_t k = 0; k < sums_.size(); ++k) sums_[k] = objective.background[k] + stats_[k];
    const double gain = objective.factor * (*objective.gain)(sums_.data());
    if (i > 0 && search_.score(i) + gain <= choice_.score + choice_.gain) continue;
    best = i;
    choice_.score = search_.score(i);
    choice_.gain = gain;
    choice_.stats = stats_;
  }
  search_.derivation(best, choice_.edges);
  return choice_;
}

std::vector<BleuChoice> graph_oracle(const BleuSpace& space, const metrics::Gain& gain,
                                     std::span<const double> weights, int beam) {
  const auto size = static_cast<std::size_t>(gain.size());
  std::vector<BleuChoice> chosen(space.sentences());
  std::vector<double> sums(size, 0.0), background(size), scores, zeros(size, 0.0);
  BleuDecoder decoder(beam);
  const auto add = [&](const BleuChoice& choice, double sign) {
    for (std::size_t k = 0; k < size; ++k) sums[k] += sign * choice.stats[k];
  };
  for (std::int64_t s = 0; s < space.sentences(); ++s) {
    if (space.graph(s).empty()) continue;
    scores = edge_scores(space.graph(s), weights.data());
    chosen[s] = decoder.best(space, s, scores, {&gain, zeros, zeros, 0.0});
    add(chosen[s], 1.0);
  }
  bool changed = true;
  for (int sweep = 0; changed && sweep < kMostSweeps; ++sweep) {
    changed = false;
    for (std::int64_t s = 0; s < space.sentences(); ++s) {
      if (space.graph(s).empty()) continue;
      const double here = gain(sums.data());
      background = sums;
      for (std::size_t k = 0; k < size; ++k) background[k] -= chosen[s].stats[k];
      scores.assign(space.graph(s).edges(), 0.0);
      const BleuChoice& better = decoder.best(space, s, scores, {&gain, background, sums, 1.0});
      if (better.gain <= here + kLeastGain) continue;
      add(chosen[s], -1.0);
      chosen[s] = better;
      add(chosen[s], 1.0);
      changed = true;
    }
  }
  return chosen;
}

}  // namespace tunesmith::graph
