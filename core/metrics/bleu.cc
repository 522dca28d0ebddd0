#include "metrics/bleu.hh"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.hh"
#include "metrics/text.hh"

namespace tunesmith::metrics {

void check_bleu_order(int order) {
  if (order < 1 || order > NgramTries::kMaxOrder)
    throw OptionError("the order of BLEU is " + std::to_string(order) + ", expected 1 to " +
                      std::to_string(NgramTries::kMaxOrder));
}

BleuScorer::BleuScorer(BleuOptions options, const References& references)
    : options_(std::move(options)), references_(references.size()), ngrams_(options_.order) {
  check_bleu_order(options_.order);
  const std::uint32_t sentences = count_sentences(references);
  std::vector<Preprocess::Scratch> scratch(references_);
  std::vector<std::vector<std::string_view>> words(references_);
  std::vector<std::vector<std::uint32_t>> numbers;
  std::vector<std::int32_t> lengths(references_);
  for (std::uint32_t s = 0; s < sentences; ++s) {
    for (std::size_t r = 0; r < references_; ++r) {
      split_words(options_.preprocess(references[r][s], scratch[r]), words[r]);
      lengths[r] = static_cast<std::int32_t>(words[r].size());
    }
    const std::uint32_t symbols = words_.add(words, numbers);
    ngrams_.add(numbers, symbols);
    switch (options_.length) {
      case BleuOptions::Length::kClosest:
        lengths_.insert(lengths_.end(), lengths.begin(), lengths.end());
        break;
      case BleuOptions::Length::kShortest:
        lengths_.push_back(*std::min_element(lengths.begin(), lengths.end()));
        break;
      case BleuOptions::Length::kAverage:
        lengths_.push_back(std::accumulate(lengths.begin(), lengths.end(), 0));
        break;
    }
  }
}

std::int32_t BleuScorer::reference_length(std::uint32_t sentence,
                                          std::int32_t hypothesis_length) const {
  if (options_.length != BleuOptions::Length::kClosest) return lengths_[sentence];
  const std::int32_t* lengths = lengths_.data() + sentence * references_;
  std::int32_t best = lengths[0];
  for (std::size_t r = 1; r < references_; ++r) {
    const auto distance = std::abs(lengths[r] - hypothesis_length);
    const auto best_distance = std::abs(best - hypothesis_length);
    if (distance < best_distance || (distance == best_distance && lengths[r] < best))
      best = lengths[r];
  }
  return best;
}

void BleuScorer::stats(std::uint32_t sentence, std::string_view hypothesis,
                       std::int32_t* out) const {
  thread_local struct {
    Preprocess::Scratch texts;
    std::vector<std::string_view> words;
    std::vector<std::uint32_t> numbers;
    std::vector<std::int32_t> seen;
  } scratch;
  const std::string_view text = options_.preprocess(hypothesis, scratch.texts);
  split_words(text, scratch.words);
  words_.find_all(sentence, scratch.words, text, scratch.numbers);

  std::fill(out, out + options_.order, 0);
  ngrams_.match(sentence, scratch.numbers, out, scratch.seen);
  complete(sentence, static_cast<std::int32_t>(scratch.words.size()), out);
}

std::uint32_t BleuScorer::symbol(std::uint32_t sentence, std::string_view word) const {
  thread_local Preprocess::Scratch texts;
  const std::string_view text = options_.preprocess(word, texts);
  return words_.find(sentence, text, text.data() + text.size());
}

void BleuScorer::complete(std::uint32_t sentence, std::int32_t length, std::int32_t* out) const {
  const int order = options_.order;
  for (int n = 0; n < order; ++n) out[order + n] = std::max(length - n, 0);
  out[2 * order] = length * length_unit();
  out[2 * order + 1] = reference_length(sentence, length);
}

}  // namespace tunesmith::metrics
