#include "metrics/error_rate.hh"

#include <utility>

#include "metrics/text.hh"

namespace tunesmith::metrics {
namespace {

// jiwer's words end at a space, or at two or more white space characters in a row: a single tab or
// no-break space is part of its word.
void split_jiwer_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  text = strip(text);
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t first = space_at(text, at);
    if (first == 0) {
      ++at;
      continue;
    }
    std::size_t end = at + first;
    while (end < text.size()) {
      const std::size_t more = space_at(text, end);
      if (more == 0) break;
      end += more;
    }
    if (end > at + first || text[at] == ' ') {
      if (at > start) words.push_back(text.substr(start, at - start));
      start = end;
    }
    at = end;
  }
  if (start < text.size()) words.push_back(text.substr(start));
}

}  // namespace

void ErrorRateScorer::split(std::string_view text, std::vector<std::string_view>& symbols) const {
  if (unit_ == ErrorUnit::kWord)
    split_jiwer_words(text, symbols);
  else
    split_characters(strip(text), true, symbols);
}

ErrorRateScorer::ErrorRateScorer(ErrorUnit unit, Preprocess preprocess,
                                 const References& references)
    : unit_(unit), preprocess_(std::move(preprocess)), references_(references.size()) {
  const std::uint32_t sentences = count_sentences(references);
  std::vector<Preprocess::Scratch> scratch(references_);
  std::vector<std::vector<std::string_view>> symbols(references_);
  std::vector<std::vector<std::uint32_t>> numbers;
  for (std::uint32_t s = 0; s < sentences; ++s) {
    for (std::size_t r = 0; r < references_; ++r)
      split(preprocess_(references[r][s], scratch[r]), symbols[r]);
    const std::uint32_t count = symbols_.add(symbols, numbers);
    for (const auto& reference : numbers) patterns_.add(reference, count);
  }
}

void ErrorRateScorer::stats(std::uint32_t sentence, std::string_view hypothesis,
                            std::int32_t* out) const {
  thread_local Preprocess::Scratch scratch;
  thread_local std::vector<std::string_view> symbols;
  thread_local std::vector<std::uint32_t> numbers;
  const std::string_view text = preprocess_(hypothesis, scratch);
  split(text, symbols);
  symbols_.find_all(sentence, symbols, text, numbers);
  for (std::size_t r = 0; r < references_; ++r) {
    const std::size_t reference = sentence * references_ + r;
    const std::int32_t errors = patterns_.distance(reference, numbers);
    const std::int32_t length = patterns_.length(reference);
    if (r == 0 || errors < out[0] || (errors == out[0] && length > out[1])) {
      out[0] = errors;
      out[1] = length;
    }
  }
}

}  // namespace tunesmith::metrics
