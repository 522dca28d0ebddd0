// The translation options of a sentence: for every span the rules that fit, and what they promise
// for the words that are still to be translated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "decode/rule_cache.hh"
#include "decode/rule_filter.hh"

namespace tunesmith::decode {

// Longest source phrase that is looked up.
constexpr int kMaxPhraseLength = 16;

// Of each word whether no table has it on its source side; of none unless the model keeps the order
// of unknown words.
std::vector<bool> unknown_words(const PhraseModel& model, std::span<const std::string> words);

// Whether unknown words at `begin` would follow others, before `last_end`, that they do not stand
// next to. No phrase does: a language model wants all unknown words in one place, as it knows
// nothing of what may stand beside any of them.
inline bool gathers_unknown(const std::vector<bool>& unknown, int last_end, int begin) {
  return begin != last_end && last_end > 0 && unknown[last_end - 1] && unknown[begin];
}

class PhraseOptions {
 public:
  // Rules that `filter` leaves out of all their tables are not offered; those that it leaves out of
  // some of joined tables have the scores of the others alone. Nor are rules with forbidden
  // phrases, if any are given; with `may_drop` every word may be left out.
  PhraseOptions(RuleCache& cache, const SearchOptions& search, const SourceSentence& sentence,
                const RuleFilter* filter = nullptr, const ForbiddenPhrases* forbidden = nullptr,
                bool may_drop = false);

  int words() const { return words_; }
  int max_length() const { return max_length_; }
  // Rules for the words [begin, begin + length), best estimate first.
  std::span<const PreparedRule> at(int begin, int length) const {
    return by_span_[begin * max_length_ + length - 1];
  }
  // Of each word whether it may only be copied, and keeps its order.
  const std::vector<bool>& unknown() const { return unknown_; }
  // An estimate of the score of the words [begin, end), none of them translated yet.
  float future(int begin, int end) const {
    return future_[static_cast<std::size_t>(begin) * (words_ + 1) + end];
  }

 private:
  std::vector<PreparedRule> kept(const RuleCache& cache, const RuleFilter& filter, int group,
                                 std::span<const std::uint64_t> keys,
                                 std::span<const PreparedRule> rules);
  // Those of `rules`, and as many of the next ones as are forbidden.
  std::span<const PreparedRule> allowed(RuleCache& cache, const ForbiddenPhrases& forbidden,
                                        int group, std::span<const std::uint64_t> keys,
                                        std::span<const PreparedRule> rules);
  void offer(int begin, int end, std::span<const PreparedRule> rules);
  void offer_literal(const RuleCache& cache, int begin, int end, std::vector<std::string> words,
                     int unknown);
  void add_context(const RuleCache& cache, const SourceSentence& sentence);
  // Gives rules the orientation scores that they have in their places.
  void add_reordering(const PhraseModel& model, const SourceSentence& sentence);
  void fill_future();

  int words_ = 0, max_length_ = 1;
  std::vector<bool> unknown_;
  std::vector<std::span<const PreparedRule>> by_span_;
  // Rules that are the sentence's own: literals, and spans that more than one table fills.
  std::vector<std::unique_ptr<std::vector<PreparedRule>>> own_;
  std::vector<std::unique_ptr<std::vector<std::string>>> literals_;
  Arena arena_;
  std::vector<float> future_;
};

}  // namespace tunesmith::decode
