// Which rules of a phrase table are worth keeping, and a table of those alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/coded_text.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

// For every rule 1 if its source phrase occurs in the text, otherwise 0.
std::vector<std::uint8_t> rules_in_text(const PhraseTable& table, const CodedText& text);

// For every rule 1 if it is among the `limit` best of its source phrase by `score` (of equals the
// first in the table), otherwise 0.
std::vector<std::uint8_t> best_rules(const PhraseTable& table, int score, int limit);

// −log of the probability that two phrases share at least `joint` of `sentences` sentence pairs by
// chance, when they occur in `source` and `target` of them: Fisher's exact test, one-sided
// (Johnson et al. 2007, eq. 4). Counts must fit together: joint ≤ source, target ≤ sentences.
class Significance {
 public:
  explicit Significance(std::uint64_t sentences);
  double operator()(std::uint64_t joint, std::uint64_t source, std::uint64_t target) const;

 private:
  double log_choose(std::uint64_t n, std::uint64_t k) const {
    return log_factorial_[n] - log_factorial_[k] - log_factorial_[n - k];
  }
  std::vector<double> log_factorial_;
};

// The significance of every rule by the sentence pairs in which its phrases occur; 0 for a rule
// that occurs in none. Takes four bytes for each occurrence of a phrase of the table.
std::vector<double> rule_significance(const PhraseTable& table, const CodedText& source,
                                      const CodedText& target, int threads);

// Writes the rules with a nonzero `keep`; source phrases without any are left out.
void write_kept_rules(const PhraseTable& table, std::span<const std::uint8_t> keep,
                      const std::string& path, std::string_view meta);

}  // namespace tunesmith::grammar
