// One sentence pair's update of the violation-fixing perceptron (Yu et al. 2013, §3): search with a
// beam, find the bin to update at (update_rules.hh), and the difference between a good and a bad
// derivation there.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "decode/forced/forced_search.hh"
#include "decode/phrase/phrase_search.hh"
#include "features/weight_table.hh"
#include "learn/ranking.hh"
#include "learn/update_rules.hh"

namespace tunesmith::learn {

struct ExpectedOptions {
  // What scores are multiplied by before they become probabilities.
  double sharpness = 10.0;
  // BLEU statistics of so many other sentences, to which those of a translation are added: a gain
  // is then what it does for a text, in BLEU of one sentence. Empty: BLEU+1 of the sentence alone.
  std::vector<double> background;
  double background_sentences = 0.0;
};

struct ViolationOptions {
  UpdateMethod method = UpdateMethod::kMaxViolation;
  // The beam is its stack_size and pop_limit.
  decode::SearchOptions search;
  decode::ForcedOptions forced;
  // A good derivation must be this much better than a bad one.
  double margin = 0.0;
  // No update where the violation is larger: the model is far from the reference then, which may be
  // a free translation, and the derivation that makes it an odd one. 0: no limit.
  double max_violation = 0.0;
  // Translations of the beam that take part in kExpected and kRanking.
  std::size_t list_size = 50;
  ExpectedOptions expected;
  RankingOptions ranking;
  // Steps of the learner, which decide what later pairs of a list see: of lexical features, and of
  // each dense one.
  double lexical_step = 0.0;
  std::vector<double> dense_steps;
};

enum class UpdateOutcome : std::uint8_t {
  kUnreachable,  // no good derivation, not even of a prefix
  kSolved,       // nothing to mend
  kUpdated,
  kInvalid,  // an update although the good derivation is the better one already
  kTooFar    // no update: the violation is above the limit
};

struct ViolationUpdate {
  UpdateOutcome outcome = UpdateOutcome::kUnreachable;
  int bin = 0, words = 0;     // where the update is, and the length of the (prefix) source
  double violation = 0.0;     // score of the bad derivation − score of the good one
  bool reached = false;       // the beam's best translation is the reference
  std::vector<double> stats;  // of BLEU, of the beam's best translation; of whole lists only
  std::vector<double> dense;  // h(good) − h(bad)
  std::vector<features::KeyChange>
      sparse;  // the same of lexical features, sorted by key, without zeros
};

// The update of `pair` under `weights`; `cache` has prepared rules under the same weights. Without
// a `prefix` a pair that can be made only in part is learned from as far as it goes. A prefix means
// nothing to kExpected and kRanking.
ViolationUpdate violation_update(const decode::PhraseModel& model, std::span<const double> weights,
                                 const ViolationOptions& options, const decode::TrainingPair& pair,
                                 decode::PrefixPair prefix, decode::ForcedSearch& forced,
                                 decode::RuleCache& cache, decode::PhraseSearch& search);

}  // namespace tunesmith::learn
