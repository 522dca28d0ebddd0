#include "grammar/lexicon.hh"

#include <cmath>

#include "base/hash.hh"
#include "grammar/extract.hh"

namespace tunesmith::grammar {
namespace {

// Word pairs to counts: open addressing, at most half full.
class PairCounts {
 public:
  PairCounts() : keys_(1 << 16, kEmpty), counts_(1 << 16, 0) {}
  std::uint32_t& operator[](std::uint64_t key) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::size_t i = place(key);
    if (keys_[i] == kEmpty) {
      keys_[i] = key;
      ++used_;
    }
    return counts_[i];
  }

 private:
  static constexpr std::uint64_t kEmpty = ~0ULL;
  std::size_t place(std::uint64_t key) const {
    const std::size_t mask = keys_.size() - 1;
    std::size_t i = mix64(key) & mask;
    while (keys_[i] != kEmpty && keys_[i] != key) i = (i + 1) & mask;
    return i;
  }
  void grow() {
    std::vector<std::uint64_t> old_keys(keys_.size() * 2, kEmpty);
    std::vector<std::uint32_t> old_counts(counts_.size() * 2, 0);
    old_keys.swap(keys_);
    old_counts.swap(counts_);
    for (std::size_t j = 0; j < old_keys.size(); ++j) {
      if (old_keys[j] == kEmpty) continue;
      const std::size_t i = place(old_keys[j]);
      keys_[i] = old_keys[j];
      counts_[i] = old_counts[j];
    }
  }
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> counts_;
  std::size_t used_ = 0;
};

std::uint64_t pair_key(std::uint32_t source, std::uint32_t target) {
  return static_cast<std::uint64_t>(source) << 32 | target;
}

}  // namespace

Lexicon::Lexicon(const AlignedCorpus& corpus, std::size_t source_words, std::size_t target_words)
    : target_given_source(corpus.links.source.size()),
      source_given_target(corpus.links.source.size()),
      target_given_null(target_words),
      source_given_null(source_words) {
  PairCounts pairs;
  std::vector<std::uint32_t> source_counts(source_words), target_counts(target_words);
  std::vector<std::uint32_t> unlinked_source(source_words), unlinked_target(target_words);
  std::uint64_t null_source = 0, null_target = 0;
  std::vector<bool> source_linked, target_linked;
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const auto source = corpus.source(s), target = corpus.target(s);
    const auto from = corpus.link_sources(s), to = corpus.link_targets(s);
    source_linked.assign(source.size(), false);
    target_linked.assign(target.size(), false);
    for (std::size_t i = 0; i < from.size(); ++i) {
      ++pairs[pair_key(source[from[i]], target[to[i]])];
      ++source_counts[source[from[i]]];
      ++target_counts[target[to[i]]];
      source_linked[from[i]] = true;
      target_linked[to[i]] = true;
    }
    for (std::size_t i = 0; i < source.size(); ++i)
      if (!source_linked[i]) {
        ++unlinked_source[source[i]];
        ++source_counts[source[i]];
        ++null_target;
      }
    for (std::size_t j = 0; j < target.size(); ++j)
      if (!target_linked[j]) {
        ++unlinked_target[target[j]];
        ++target_counts[target[j]];
        ++null_source;
      }
  }
  // NULL on the source side generates the unlinked target words, and the other way round.
  for (std::size_t w = 0; w < target_words; ++w)
    target_given_null[w] =
        null_source > 0 ? static_cast<float>(unlinked_target[w]) / static_cast<float>(null_source)
                        : 0.0F;
  for (std::size_t w = 0; w < source_words; ++w)
    source_given_null[w] =
        null_target > 0 ? static_cast<float>(unlinked_source[w]) / static_cast<float>(null_target)
                        : 0.0F;
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const auto source = corpus.source(s), target = corpus.target(s);
    for (std::uint64_t i = corpus.links.offsets[s]; i < corpus.links.offsets[s + 1]; ++i) {
      const std::uint32_t f = source[corpus.links.source[i]], e = target[corpus.links.target[i]];
      const auto joint = static_cast<float>(pairs[pair_key(f, e)]);
      target_given_source[i] = joint / static_cast<float>(source_counts[f]);
      source_given_target[i] = joint / static_cast<float>(target_counts[e]);
    }
  }
}

LexicalWeights lexical_weights(const AlignedCorpus& corpus, const Lexicon& lexicon, std::size_t s,
                               int source_begin, int source_length, int target_begin,
                               int target_length) {
  float target_sum[kMaxExtractedLength] = {}, source_sum[kMaxExtractedLength] = {};
  int target_links[kMaxExtractedLength] = {}, source_links[kMaxExtractedLength] = {};
  for (std::uint64_t i = corpus.links.offsets[s]; i < corpus.links.offsets[s + 1]; ++i) {
    const int f = static_cast<int>(corpus.links.source[i]) - source_begin;
    const int e = static_cast<int>(corpus.links.target[i]) - target_begin;
    if (f < 0 || f >= source_length || e < 0 || e >= target_length) continue;
    target_sum[e] += lexicon.target_given_source[i];
    source_sum[f] += lexicon.source_given_target[i];
    ++target_links[e];
    ++source_links[f];
  }
  const auto source = corpus.source(s), target = corpus.target(s);
  LexicalWeights weights;
  for (int j = 0; j < target_length; ++j)
    weights.target_given_source +=
        std::log(target_links[j] > 0 ? target_sum[j] / static_cast<float>(target_links[j])
                                     : lexicon.target_given_null[target[target_begin + j]]);
  for (int i = 0; i < source_length; ++i)
    weights.source_given_target +=
        std::log(source_links[i] > 0 ? source_sum[i] / static_cast<float>(source_links[i])
                                     : lexicon.source_given_null[source[source_begin + i]]);
  return weights;
}

}  // namespace tunesmith::grammar
