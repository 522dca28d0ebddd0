#include "decode/phrase_options.hh"

#include <algorithm>
#include <limits>

namespace tunesmith {
namespace {

constexpr float kImpossible = -std::numeric_limits<float>::infinity();

// Longest source phrase that is looked up.
constexpr int kMaxPhraseLength = 16;

}  // namespace

PhraseOptions::PhraseOptions(RuleCache& cache, const SearchOptions& search,
                             const SourceSentence& sentence)
    : words_(static_cast<int>(sentence.words.size())) {
  max_length_ = std::clamp(words_, 1, kMaxPhraseLength);
  for (const ForcedPhrase& phrase : sentence.forced)
    max_length_ = std::max(max_length_, phrase.end - phrase.begin);
  by_span_.resize(static_cast<std::size_t>(words_) * max_length_);

  std::vector<bool> forced(words_, false);
  const auto offer_literal = [&](int begin, int end, std::vector<std::string> words, int unknown) {
    literals_.push_back(std::make_unique<std::vector<std::string>>(std::move(words)));
    own_.push_back(std::make_unique<std::vector<PreparedRule>>());
    own_.back()->push_back(cache.literal(*literals_.back(), unknown, arena_));
    by_span_[begin * max_length_ + (end - begin) - 1] = *own_.back();
  };
  for (const ForcedPhrase& phrase : sentence.forced) {
    std::fill(forced.begin() + phrase.begin, forced.begin() + phrase.end, true);
    offer_literal(phrase.begin, phrase.end, phrase.target, 0);
  }

  for (int t = 0; t < cache.model().tables(); ++t) {
    const StringIndex& vocabulary = cache.model().table(t).source_vocabulary();
    std::vector<std::uint32_t> ids(words_);
    for (int i = 0; i < words_; ++i) ids[i] = vocabulary.find(sentence.words[i]);
    for (int begin = 0; begin < words_; ++begin) {
      std::uint64_t key = kEmptyPhrase;
      for (int end = begin + 1; end <= std::min(words_, begin + kMaxPhraseLength); ++end) {
        if (ids[end - 1] == StringIndex::kMissing || forced[end - 1]) break;
        key = extend_phrase(key, ids[end - 1]);
        offer(begin, end, cache.rules(t, key));
      }
    }
  }

  // A word without a translation of its own is copied or dropped, so that every sentence has a
  // translation.
  for (int i = 0; i < words_; ++i) {
    if (forced[i] || !at(i, 1).empty()) continue;
    std::vector<std::string> copy;
    if (!search.drop_unknown)
      copy.push_back(sentence.copies.empty() ? sentence.words[i] : sentence.copies[i]);
    offer_literal(i, i + 1, std::move(copy), 1);
  }
  fill_future();
}

void PhraseOptions::offer(int begin, int end, std::span<const PreparedRule> rules) {
  if (rules.empty()) return;
  auto& span = by_span_[begin * max_length_ + (end - begin) - 1];
  if (span.empty()) {
    span = rules;
    return;
  }
  auto merged = std::make_unique<std::vector<PreparedRule>>();
  std::merge(span.begin(), span.end(), rules.begin(), rules.end(), std::back_inserter(*merged),
             [](const auto& a, const auto& b) { return a.estimate > b.estimate; });
  own_.push_back(std::move(merged));
  span = *own_.back();
}

void PhraseOptions::fill_future() {
  const int n = words_;
  future_.assign(static_cast<std::size_t>(n) * (n + 1) + 1, kImpossible);
  for (int begin = 0; begin < n; ++begin) {
    float* row = &future_[static_cast<std::size_t>(begin) * (n + 1)];
    row[begin] = 0.0F;
    for (int middle = begin; middle < n; ++middle) {
      if (row[middle] == kImpossible) continue;
      for (int length = 1; length <= std::min(max_length_, n - middle); ++length) {
        const auto rules = at(middle, length);
        if (rules.empty()) continue;
        row[middle + length] = std::max(row[middle + length], row[middle] + rules[0].estimate);
      }
    }
  }
}

}  // namespace tunesmith
