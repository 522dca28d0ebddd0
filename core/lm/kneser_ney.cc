#include "lm/kneser_ney.hh"

#include <algorithm>
#include <cmath>

namespace tunesmith::lm {

Discounts discounts_from(const std::array<std::uint64_t, 5>& t) {
  Discounts out;
  const double y = static_cast<double>(t[1]) / (static_cast<double>(t[1]) + 2.0 * t[2]);
  for (int k = 1; k <= 3; ++k) {
    const double d = t[k] == 0 ? -1.0 : k - (k + 1) * y * t[k + 1] / t[k];
    if (!(d >= 0.0 && d <= k)) return {kFallbackDiscounts, true};
    out.amount[k] = static_cast<float>(d);
  }
  return out;
}

float backoff_log10(float gamma) {
  return gamma == 1.0f ? 0.0f : static_cast<float>(std::log10(static_cast<double>(gamma)));
}

float log10_of(float probability) {
  return std::min(0.0f, static_cast<float>(std::log10(static_cast<double>(probability))));
}

std::vector<bool> allowed_words(Corpus& corpus, const EstimateOptions& options) {
  const StringIndex& vocabulary = corpus.vocabulary();
  std::vector<bool> allowed;
  if (!options.vocabulary.empty()) {
    allowed.assign(vocabulary.size(), false);
    for (const std::string& word : options.vocabulary) {
      const WordId id = vocabulary.find(spelled(word));
      if (id != StringIndex::kMissing) allowed[id] = true;
    }
  }
  if (options.max_words > 0) {
    std::vector<WordId> words;
    for (WordId id = kEnd + 1; id < vocabulary.size(); ++id)
      if (allowed.empty() || allowed[id]) words.push_back(id);
    if (words.size() > options.max_words) {
      const auto& counts = corpus.counts();
      std::stable_sort(words.begin(), words.end(),
                       [&](WordId a, WordId b) { return counts[a] > counts[b]; });
      words.resize(options.max_words);
      allowed.assign(vocabulary.size(), false);
      for (const WordId id : words) allowed[id] = true;
    }
  }
  for (WordId marker = 0; marker <= kEnd && !allowed.empty(); ++marker) allowed[marker] = true;
  return allowed;
}

}  // namespace tunesmith::lm
