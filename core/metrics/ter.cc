#include "metrics/ter.hh"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "metrics/ter_search.hh"
#include "metrics/text.hh"

namespace tunesmith::metrics {

TerScorer::TerScorer(Preprocess preprocess, const References& references)
    : preprocess_(std::move(preprocess)), references_(references.size()), starts_{0} {
  const std::uint32_t sentences = count_sentences(references);
  std::vector<Preprocess::Scratch> once(references_), twice(references_);
  std::vector<std::vector<std::string_view>> words(references_);
  std::vector<std::vector<std::uint32_t>> numbers;
  for (std::uint32_t s = 0; s < sentences; ++s) {
    // sacreBLEU prepares references twice, and its normalisation may change them again.
    for (std::size_t r = 0; r < references_; ++r)
      split_words(preprocess_(preprocess_(references[r][s], once[r]), twice[r]), words[r]);
    counts_.push_back(words_.add(words, numbers));
    for (const auto& reference : numbers) {
      numbers_.insert(numbers_.end(), reference.begin(), reference.end());
      starts_.push_back(numbers_.size());
    }
  }
}

void TerScorer::stats(std::uint32_t sentence, std::string_view hypothesis,
                      std::int32_t* out) const {
  thread_local Preprocess::Scratch scratch;
  thread_local std::vector<std::string_view> words;
  thread_local std::vector<std::uint32_t> numbers;
  thread_local TerSearch search;
  const std::string_view text = preprocess_(hypothesis, scratch);
  split_words(text, words);
  words_.find_all(sentence, words, text, numbers);
  std::int32_t fewest = 0, lengths = 0;
  for (std::size_t r = 0; r < references_; ++r) {
    const std::size_t reference = sentence * references_ + r;
    const std::span<const std::uint32_t> target(numbers_.data() + starts_[reference],
                                                starts_[reference + 1] - starts_[reference]);
    const std::int32_t edits = search.edits(numbers, target, counts_[sentence]);
    fewest = r == 0 ? edits : std::min(fewest, edits);
    lengths += static_cast<std::int32_t>(target.size());
  }
  out[0] = fewest * static_cast<std::int32_t>(references_);
  out[1] = lengths;
}

}  // namespace tunesmith::metrics
