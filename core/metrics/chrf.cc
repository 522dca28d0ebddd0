#include "metrics/chrf.hh"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hh"
#include "metrics/text.hh"

namespace tunesmith::metrics {
namespace {

bool is_ascii_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

void check_order(int order, int least, const char* what) {
  if (order < least || order > NgramTries::kMaxOrder)
    throw OptionError(std::string("the ") + what + " order of chrF is " + std::to_string(order) +
                      ", expected " + std::to_string(least) + " to " +
                      std::to_string(NgramTries::kMaxOrder));
}

}  // namespace

void split_chrf_words(std::string_view text, std::vector<std::string_view>& words) {
  thread_local std::vector<std::string_view> whole;
  split_words(text, whole);
  words.clear();
  for (std::string_view word : whole) {
    if (character_length(word, 0) == word.size()) {
      words.push_back(word);
    } else if (is_ascii_punctuation(word.back())) {
      words.push_back(word.substr(0, word.size() - 1));
      words.push_back(word.substr(word.size() - 1));
    } else if (is_ascii_punctuation(word.front())) {
      words.push_back(word.substr(0, 1));
      words.push_back(word.substr(1));
    } else {
      words.push_back(word);
    }
  }
}

void check_chrf_orders(const ChrfOptions& options) {
  check_order(options.char_order, 1, "character");
  check_order(options.word_order, 0, "word");
}

void ChrfScorer::Side::add(const std::vector<std::vector<std::string_view>>& references) {
  std::vector<std::vector<std::uint32_t>> numbers;
  const std::uint32_t count = symbols.add(references, numbers);
  for (const auto& reference : numbers) {
    tries.add({reference}, count);
    lengths.push_back(static_cast<std::int32_t>(reference.size()));
  }
}

void ChrfScorer::Side::stats(std::uint32_t sentence, std::size_t reference, std::size_t references,
                             const std::vector<std::uint32_t>& hypothesis,
                             std::int32_t* out) const {
  thread_local std::vector<std::int32_t> seen;
  std::int32_t matches[NgramTries::kMaxOrder] = {};
  const auto trie = static_cast<std::uint32_t>(sentence * references + reference);
  tries.match(trie, hypothesis, matches, seen);
  const auto length = static_cast<std::int32_t>(hypothesis.size());
  for (int n = 0; n < tries.order(); ++n) {
    // Where the reference is too short for an order, the hypothesis' n-grams do not count either.
    const std::int32_t of_reference = std::max(lengths[trie] - n, 0);
    out[3 * n] = of_reference > 0 ? std::max(length - n, 0) : 0;
    out[3 * n + 1] = of_reference;
    out[3 * n + 2] = matches[n];
  }
}

ChrfScorer::ChrfScorer(ChrfOptions options, const References& references)
    : options_(std::move(options)),
      references_(references.size()),
      gain_(options_.char_order + options_.word_order, options_.beta, options_.eps_smoothing),
      characters_(options_.char_order),
      words_(options_.word_order) {
  check_chrf_orders(options_);
  const std::uint32_t sentences = count_sentences(references);
  std::vector<Preprocess::Scratch> scratch(references_);
  std::vector<std::vector<std::string_view>> characters(references_), words(references_);
  for (std::uint32_t s = 0; s < sentences; ++s) {
    for (std::size_t r = 0; r < references_; ++r) {
      const std::string_view text = options_.preprocess(references[r][s], scratch[r]);
      split_characters(text, options_.whitespace, characters[r]);
      if (options_.word_order > 0) split_chrf_words(text, words[r]);
    }
    characters_.add(characters);
    if (options_.word_order > 0) words_.add(words);
  }
}

void ChrfScorer::stats(std::uint32_t sentence, std::string_view hypothesis,
                       std::int32_t* out) const {
  thread_local Preprocess::Scratch scratch;
  thread_local std::vector<std::string_view> symbols;
  thread_local std::vector<std::uint32_t> characters, words;
  thread_local std::vector<std::int32_t> candidate;
  thread_local std::vector<double> sums;

  const std::string_view text = options_.preprocess(hypothesis, scratch);
  split_characters(text, options_.whitespace, symbols);
  characters_.symbols.find_all(sentence, symbols, text, characters);
  if (options_.word_order > 0) {
    split_chrf_words(text, symbols);
    words_.symbols.find_all(sentence, symbols, text, words);
  }

  candidate.resize(static_cast<std::size_t>(size()));
  double best = -1.0;
  for (std::size_t r = 0; r < references_; ++r) {
    characters_.stats(sentence, r, references_, characters, candidate.data());
    if (options_.word_order > 0)
      words_.stats(sentence, r, references_, words, candidate.data() + 3 * options_.char_order);
    double score = 0.0;
    if (references_ > 1) {
      sums.assign(candidate.begin(), candidate.end());
      score = gain_.percent(sums.data());
    }
    if (score > best) {
      best = score;
      std::copy(candidate.begin(), candidate.end(), out);
    }
  }
}

}  // namespace tunesmith::metrics
