// Threads of phrase extraction and of search: the same with one and with several. And unknown words
// that keep their order.
#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "decode/lexicalised_reordering.hh"
#include "decode/phrase/phrase_decoder.hh"
#include "engine/parallel.hh"
#include "tests/aligned_text.hh"

using namespace tunesmith;

namespace {

bool same(const std::vector<decode::SentenceResult>& a,
          const std::vector<decode::SentenceResult>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t s = 0; s < a.size(); ++s) {
    if (a[s].pops != b[s].pops || a[s].translations.size() != b[s].translations.size())
      return false;
    for (std::size_t k = 0; k < a[s].translations.size(); ++k) {
      const decode::Translation &x = a[s].translations[k], &y = b[s].translations[k];
      if (x.text != y.text || x.score != y.score || x.features.dense != y.features.dense)
        return false;
    }
  }
  return true;
}

int run(const AlignedText& text, const std::string& path) {
  decode::ReorderingShape shape;
  shape.previous = shape.next = true;
  const std::vector<std::shared_ptr<const grammar::PhraseTable>> tables{
      std::make_shared<grammar::PhraseTable>(path)};
  const decode::PhraseModel model(tables, {estimate(text)},
                                  std::make_shared<decode::LexicalisedReordering>(shape, tables));

  std::vector<double> weights(model.weights(), 0.2);
  weights[model.plain_begin() + decode::kWordPenalty] = -0.1;
  std::vector<decode::SourceSentence> sentences;
  for (std::size_t s = 0; s < text.source.size(); s += 10) {
    decode::SourceSentence sentence;
    sentence.words = words_of(text.source[s] + "unknown");
    sentences.push_back(sentence);
  }
  decode::SearchOptions options;
  options.pop_limit = 50;
  decode::KBestOptions kbest;
  kbest.size = 5;
  for (const bool early : {false, true}) {
    options.early_discarding = early;
    options.beam_threshold = early ? 1.0F : options.beam_threshold;
    decode::PhraseSession session(model, weights, options);
    const auto one = decode::decode_phrases(session, sentences, kbest, 1);
    const auto several = decode::decode_phrases(session, sentences, kbest, 4);
    if (!same(one, several)) return early ? 4 : 3;
    // Several callers of one session, whose rules are ready by now.
    std::vector<std::vector<decode::SentenceResult>> found(3);
    engine::parallel_for(found.size(), 3, [&](std::size_t i) {
      found[i] = decode::decode_phrases(session, sentences, kbest, 2);
    });
    for (const auto& results : found)
      if (!same(one, results)) return early ? 7 : 6;
    for (const decode::SentenceResult& result : one)
      if (result.translations.empty()) return 5;
  }
  return 0;
}

// Unknown words side by side come out side by side and in order; a run of them ends at walls, at
// prescribed spans, at the edges of zones, and at brackets and quotes.
int run_unknown(const AlignedText& text, const std::string& path) {
  using Ends = std::vector<int>;
  const std::vector<bool> unknown{true, true, true, false, true, true};
  decode::SourceSentence sentence;
  if (decode::unknown_run_ends(unknown, sentence) != Ends{3, 2, 3, 4, 6, 6}) return 8;
  sentence.walls = {1, 6};
  if (decode::unknown_run_ends(unknown, sentence) != Ends{1, 3, 3, 4, 6, 6}) return 9;
  sentence.walls.clear();
  sentence.enclosures = {{2, 6}};
  if (decode::unknown_run_ends(unknown, sentence) != Ends{2, 2, 3, 4, 5, 6}) return 18;
  sentence.enclosures.clear();
  sentence.walls = {1, 6};
  sentence.zones = {{2, 5}};
  sentence.forced = {{4, 5, {"x"}}};
  if (decode::unknown_run_ends(unknown, sentence) != Ends{1, 2, 3, 4, 5, 6}) return 10;

  decode::ReorderingShape shape;
  shape.previous = shape.next = true;
  const std::vector<std::shared_ptr<const grammar::PhraseTable>> tables{
      std::make_shared<grammar::PhraseTable>(path)};
  auto reordering = std::make_shared<decode::LexicalisedReordering>(shape, tables, true);
  const float* of_unknown = reordering->of_rule({});
  double sum = 0.0;
  for (int k = 0; k < shape.per_direction(); ++k) sum += std::exp(of_unknown[k]);
  if (std::abs(sum - 1.0) > 1e-3) return 11;
  const decode::PhraseModel model(tables, {estimate(text)}, reordering);
  std::vector<double> weights(model.weights(), 0.2);
  std::vector<decode::SourceSentence> sentences(1);
  sentences[0].words = words_of(text.source[0] + "one two three " + text.source[1] + "four");
  decode::KBestOptions kbest;
  kbest.size = 100;
  decode::PhraseSession session(model, weights, decode::SearchOptions{});
  const auto found = decode::decode_phrases(session, sentences, kbest, 1);
  for (const decode::Translation& one : found[0].translations) {
    if ((" " + one.text + " ").find(" one two three ") == std::string::npos) return 12;
    if (one.features.dense[model.plain_begin() + decode::kUnknownWords] != -4.0) return 13;
  }
  return found[0].translations.empty() ? 14 : 0;
}

}  // namespace

int main() {
  const AlignedText text = make_text(1500);
  const std::string one = build_table(text, "decode_test.1", 1),
                    several = build_table(text, "decode_test.4", 4);
  int status = bytes_of(one).empty() ? 1 : bytes_of(one) != bytes_of(several) ? 2 : run(text, one);
  if (status == 0) status = run_unknown(text, one);
  std::remove(one.c_str());
  std::remove(several.c_str());
  return status;
}
