// The violation-fixing perceptron over a corpus in mini-batches (Zhao & Huang 2013): the pairs of a
// batch are searched side by side under the same weights, then their updates are added.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "learn/violation_update.hh"

namespace tunesmith::learn {

struct LearnerOptions {
  ViolationOptions update;
  // Step of lexical features; dense feature i takes dense_rates[i] times as much. Empty: dense
  // features keep their weights.
  double rate = 1.0;
  std::vector<double> dense_rates;
  // Passive-aggressive steps (Crammer et al. 2006): a step is as long as it takes to mend the
  // violation, at most `rate`.
  bool passive_aggressive = false;
  // The sum of a batch's updates instead of their average.
  bool sum = false;
  // Only the model of one fold is in memory: what the last one took is given back when another is
  // searched with. That costs page faults, 5 to 15 % of the time.
  bool one_fold_in_memory = false;
  // Sentences of the background of expected BLEU, which is made of the translations before; 0:
  // none.
  double background = 0.0;
};

// A pair to learn from, or the part of it to learn from.
struct LearningExample {
  std::uint32_t pair = 0;
  decode::PrefixPair prefix;
};

// What became of the examples of a batch, in their order.
struct BatchReport {
  std::vector<std::uint8_t> outcomes;  // UpdateOutcome
  std::vector<std::int32_t> bins, words;
  std::vector<double> violations;
  std::vector<std::uint8_t> reached;
};

class ViolationLearner {
 public:
  // One model for each fold of the corpus, all with the same lexical model, whose weights are
  // learned; pair p is learned from with the model of its fold, which has not seen it. `weights` as
  // the decoder takes them: that of lexical features stays as it is. The arrays of the pairs must
  // outlive the learner.
  ViolationLearner(std::vector<std::shared_ptr<const decode::PhraseModel>> models,
                   std::shared_ptr<features::LexicalModel> lexical,
                   const decode::TrainingText& pairs, std::vector<std::uint32_t> folds,
                   std::vector<double> weights, const LearnerOptions& options);
  ViolationLearner(const ViolationLearner&) = delete;

  std::size_t pairs() const { return pairs_.size(); }
  // All pairs of a batch are of one fold. A step is made of the updates of all its examples under
  // the weights as they are, in the order of the batch; a learner with the same weights may find
  // some of them elsewhere.
  BatchReport step(std::span<const LearningExample> batch, int threads) {
    return add(updates(batch, threads), threads);
  }
  std::vector<ViolationUpdate> updates(std::span<const LearningExample> batch, int threads);
  BatchReport add(const std::vector<ViolationUpdate>& updates, int threads);

  double steps() const { return steps_; }
  const std::vector<double>& weights() const { return weights_; }
  // Averages over all steps, or the weights as they are.
  std::vector<double> dense_weights(bool average) const;
  std::shared_ptr<features::LexicalModel> lexical(bool average) const;

  // What there is to remember besides the lexical model.
  const std::vector<double>& lagged() const { return lagged_; }
  const std::vector<double>& text() const { return text_; }
  void restore(std::vector<double> weights, std::vector<double> lagged, std::vector<double> text,
               double steps);

 private:
  void add_to_text(const std::vector<ViolationUpdate>& updates);

  std::vector<std::shared_ptr<const decode::PhraseModel>> models_;
  std::shared_ptr<features::LexicalModel> lexical_;
  decode::TrainingText pairs_;
  std::vector<std::uint32_t> folds_;
  std::vector<double> weights_, lagged_;
  LearnerOptions options_;
  std::vector<double> dense_rates_;
  double steps_ = 0.0;
  std::vector<double> text_;  // mean BLEU statistics of the translations before, or empty
  std::uint32_t last_fold_ = 0;
};

}  // namespace tunesmith::learn
