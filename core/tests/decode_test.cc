// Threads of phrase extraction and of search: the same with one and with several.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hh"
#include "corpus/encode.hh"
#include "decode/phrase_decoder.hh"
#include "grammar/build_table.hh"
#include "lm/estimate.hh"

using namespace tunesmith;

namespace {

constexpr int kSentences = 1500, kWords = 120;

// Sentences and their "translations": other words, neighbours swapped now and then.
struct Text {
  std::vector<std::string> source, target;
  std::vector<std::uint64_t> link_offsets{0};
  std::vector<std::uint32_t> link_source, link_target;
};

Text make_text() {
  Random random(1);
  Text text;
  for (int s = 0; s < kSentences; ++s) {
    std::vector<std::uint64_t> words(1 + random.below(12));
    std::vector<std::uint32_t> order(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      words[i] = random.below(1 + random.below(kWords));
      order[i] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t i = 0; i + 1 < words.size(); ++i)
      if (random.below(4) == 0) std::swap(order[i], order[i + 1]);
    std::string source, target;
    for (std::size_t i = 0; i < words.size(); ++i) {
      source += "f" + std::to_string(words[i]) + " ";
      target += "e" + std::to_string(words[order[i]] + random.below(2)) + " ";
      text.link_source.push_back(order[i]);
      text.link_target.push_back(static_cast<std::uint32_t>(i));
    }
    text.source.push_back(source);
    text.target.push_back(target);
    text.link_offsets.push_back(text.link_source.size());
  }
  return text;
}

std::string build(const Text& text, int threads) {
  const std::string path =
      (std::filesystem::temp_directory_path() / ("decode_test." + std::to_string(threads)))
          .string();
  StringIndex source_words, target_words;
  const std::vector<std::string_view> source(text.source.begin(), text.source.end()),
      target(text.target.begin(), text.target.end());
  const EncodedLines f = encode_lines(source_words, source, threads),
                     e = encode_lines(target_words, target, threads);
  const AlignedCorpus corpus{
      f.offsets, e.offsets, f.ids, e.ids, {text.link_offsets, text.link_source, text.link_target}};
  TableOptions options;
  options.smoothing = CountSmoothing::kKneserNey;
  options.memory = 1 << 16;  // so little that parts go to disk
  options.threads = threads;
  build_phrase_table(corpus, source_words, target_words, options, path, "{}");
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool same(const std::vector<SentenceResult>& a, const std::vector<SentenceResult>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t s = 0; s < a.size(); ++s) {
    if (a[s].pops != b[s].pops || a[s].translations.size() != b[s].translations.size())
      return false;
    for (std::size_t k = 0; k < a[s].translations.size(); ++k) {
      const Translation &x = a[s].translations[k], &y = b[s].translations[k];
      if (x.text != y.text || x.score != y.score || x.features.dense != y.features.dense)
        return false;
    }
  }
  return true;
}

int run(const Text& text, const std::string& path) {
  lm::Corpus corpus("test", 0, ".");
  for (const std::string& line : text.target) corpus.add_line(line);
  lm::EstimateOptions estimate;
  estimate.order = 3;
  std::shared_ptr<const lm::Model> language_model = lm::estimate(corpus, estimate).take_model();
  ReorderingShape shape;
  shape.previous = shape.next = true;
  const PhraseModel model({std::make_shared<PhraseTable>(path)}, {language_model}, shape);

  std::vector<double> weights(model.weights(), 0.2);
  weights[model.word_penalty_index()] = -0.1;
  std::vector<SourceSentence> sentences;
  for (std::size_t s = 0; s < text.source.size(); s += 10) {
    SourceSentence sentence;
    const std::string line = text.source[s] + "unknown";
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      sentence.words.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    sentences.push_back(sentence);
  }
  SearchOptions options;
  options.pop_limit = 50;
  KBestOptions kbest;
  kbest.size = 5;
  for (const bool early : {false, true}) {
    options.early_discarding = early;
    options.beam_threshold = early ? 1.0F : options.beam_threshold;
    const auto one = decode_phrases(model, sentences, weights, options, kbest, 1);
    const auto several = decode_phrases(model, sentences, weights, options, kbest, 4);
    if (!same(one, several)) return early ? 4 : 3;
    for (const SentenceResult& result : one)
      if (result.translations.empty()) return 5;
  }
  return 0;
}

}  // namespace

int main() {
  const Text text = make_text();
  const std::string one = build(text, 1), several = build(text, 4);
  const int status = bytes_of(one).empty()                ? 1
                     : bytes_of(one) != bytes_of(several) ? 2
                                                          : run(text, one);
  std::remove(one.c_str());
  std::remove(several.c_str());
  return status;
}
