// A small parallel text with links, made by chance, and what tests build of it.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hh"
#include "base/words.hh"
#include "corpus/encode.hh"
#include "grammar/build_table.hh"
#include "lm/estimate.hh"

namespace tunesmith {

// Sentences and their "translations": other words, neighbours swapped now and then.
struct AlignedText {
  std::vector<std::string> source, target;
  std::vector<std::uint64_t> link_offsets{0};
  std::vector<std::uint32_t> link_source, link_target;
};

inline AlignedText make_text(int sentences) {
  constexpr int kWords = 120;
  Random random(1);
  AlignedText text;
  for (int s = 0; s < sentences; ++s) {
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

// A phrase table of the text, in a file of this name in the temporary folder; returns its path.
inline std::string build_table(const AlignedText& text, const std::string& name, int threads) {
  const std::string path = (std::filesystem::temp_directory_path() / name).string();
  StringIndex source_words, target_words;
  const std::vector<std::string_view> source(text.source.begin(), text.source.end()),
      target(text.target.begin(), text.target.end());
  const corpus::EncodedLines f = corpus::encode_lines(source_words, source, threads),
                             e = corpus::encode_lines(target_words, target, threads);
  const grammar::AlignedCorpus corpus{
      f.offsets, e.offsets, f.ids, e.ids, {text.link_offsets, text.link_source, text.link_target}};
  grammar::TableOptions options;
  options.smoothing = grammar::CountSmoothing::kKneserNey;
  options.memory = 1 << 16;  // so little that parts go to disk
  options.threads = threads;
  grammar::build_phrase_table(corpus, source_words, target_words, options, path, "{}");
  return path;
}

// A language model of the target side.
inline std::shared_ptr<const lm::Model> estimate(const AlignedText& text) {
  lm::Corpus corpus("test", 0, ".");
  for (const std::string& line : text.target) corpus.add_line(line);
  lm::EstimateOptions options;
  options.order = 3;
  return lm::estimate(corpus, options).take_model();
}

inline std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  for_each_word(line, [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

inline std::string bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace tunesmith
