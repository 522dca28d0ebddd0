// Scorers are shared by threads: the statistics of four threads are those of one.
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/random.hh"
#include "metrics/bleu.hh"
#include "metrics/chrf.hh"
#include "metrics/error_rate.hh"
#include "metrics/resample.hh"
#include "metrics/scorer.hh"
#include "metrics/ter.hh"

using namespace tunesmith;

namespace {

std::string random_sentence(Random& random) {
  std::string text;
  for (std::uint64_t i = 0, n = random.below(40); i < n; ++i) {
    text += static_cast<char>('a' + random.below(6));
    text += i % 7 == 6 ? "ä " : " ";
  }
  return text;
}

}  // namespace

int main() {
  constexpr std::size_t kSentences = 20, kHypotheses = 2000;
  Random random(1);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < 2 * kSentences + kHypotheses; ++i)
    texts.push_back(random_sentence(random));
  metrics::References references(2);
  for (std::size_t i = 0; i < 2 * kSentences; ++i) references[i % 2].push_back(texts[i]);
  std::vector<std::string_view> hypotheses(texts.begin() + 2 * kSentences, texts.end());
  std::vector<std::uint32_t> sentences(kHypotheses);
  for (auto& sentence : sentences) sentence = static_cast<std::uint32_t>(random.below(kSentences));

  const metrics::Preprocess plain;
  metrics::Preprocess tokenised;
  tokenised.tokenizer = metrics::Preprocess::Tokenizer::k13a;
  const metrics::CombinedScorer scorer({
      std::make_shared<metrics::BleuScorer>(metrics::BleuOptions{.preprocess = tokenised},
                                            references),
      std::make_shared<metrics::ChrfScorer>(metrics::ChrfOptions{.word_order = 2}, references),
      std::make_shared<metrics::TerScorer>(plain, references),
      std::make_shared<metrics::ErrorRateScorer>(metrics::ErrorUnit::kWord, plain, references),
      std::make_shared<metrics::ErrorRateScorer>(metrics::ErrorUnit::kCharacter, plain, references),
  });
  const auto size = static_cast<std::size_t>(scorer.size());
  std::vector<std::int32_t> one(kHypotheses * size), four(kHypotheses * size);
  metrics::batch_stats(scorer, hypotheses, sentences.data(), one.data(), 1);
  metrics::batch_stats(scorer, hypotheses, sentences.data(), four.data(), 4);
  if (one != four) {
    std::puts("statistics depend on the threads");
    return 1;
  }

  const metrics::BleuScorer bleu({}, references);
  std::vector<std::int32_t> stats(kHypotheses * bleu.size());
  metrics::batch_stats(bleu, hypotheses, sentences.data(), stats.data(), 4);
  const metrics::BleuGain gain;
  std::vector<double> slow(200), fast(200);
  metrics::bootstrap_gains(gain, {stats.data(), stats.data()}, kHypotheses, 100, 1, slow.data(), 1);
  metrics::bootstrap_gains(gain, {stats.data(), stats.data()}, kHypotheses, 100, 1, fast.data(), 4);
  if (slow != fast) {
    std::puts("resampled gains depend on the threads");
    return 1;
  }
  return 0;
}
