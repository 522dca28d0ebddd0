#include "learn/violation_learner.hh"

#include <algorithm>

#include "base/weight_limit.hh"
#include "decode/forced/forced_decoder.hh"
#include "engine/parallel.hh"

namespace tunesmith::learn {
namespace {

// What a batch counts in the mean of all translations before: that follows the weights slowly.
constexpr double kNewest = 0.01;

}  // namespace

ViolationLearner::ViolationLearner(std::vector<std::shared_ptr<const decode::PhraseModel>> models,
                                   std::shared_ptr<features::LexicalModel> lexical,
                                   const decode::TrainingText& pairs,
                                   std::vector<std::uint32_t> folds, std::vector<double> weights,
                                   const LearnerOptions& options)
    : models_(std::move(models)),
      lexical_(std::move(lexical)),
      pairs_(pairs),
      folds_(std::move(folds)),
      weights_(std::move(weights)),
      lagged_(weights_.size(), 0.0),
      options_(options) {
  if (models_.empty()) throw OptionError("a learner needs a model");
  if (folds_.size() != pairs_.size()) throw OptionError("folds of another number of pairs");
  for (const std::uint32_t fold : folds_)
    if (fold >= models_.size()) throw OptionError("a pair of a fold without a model");
  for (const auto& model : models_) {
    if (model->lexical() == nullptr || &model->lexical()->model() != lexical_.get())
      throw OptionError("a model with other lexical features than those to learn");
    if (model->weights() != weights_.size())
      throw OptionError(std::to_string(weights_.size()) + " weights for " +
                        std::to_string(model->weights()) + " features");
  }
  check_weights(weights_);
  const auto features = static_cast<std::size_t>(models_[0]->features());
  dense_rates_ =
      options_.dense_rates.empty() ? std::vector<double>(features, 0.0) : options_.dense_rates;
  if (dense_rates_.size() != features)
    throw OptionError(std::to_string(dense_rates_.size()) + " rates for " +
                      std::to_string(features) + " dense features");
  decode::check_links(*models_[0], pairs_);
}

std::vector<ViolationUpdate> ViolationLearner::updates(std::span<const LearningExample> batch,
                                                       int threads) {
  std::vector<ViolationUpdate> updates(batch.size());
  if (batch.empty()) return updates;
  for (const LearningExample& example : batch)
    if (example.pair >= pairs_.size() || folds_[example.pair] != folds_[batch[0].pair])
      throw OptionError("a batch with pairs of several folds, or with pairs that are not there");
  const std::uint32_t fold = folds_[batch[0].pair];
  if (options_.one_fold_in_memory && fold != last_fold_) models_[last_fold_]->give_back();
  last_fold_ = fold;
  const decode::PhraseModel& model = *models_[fold];
  struct Worker {
    decode::RuleCache cache;
    decode::PhraseSearch search;
    decode::ForcedSearch forced;
  };
  std::vector<std::unique_ptr<Worker>> workers(engine::resolve_threads(threads));
  const decode::SearchOptions& search = options_.update.search;
  ExpectedOptions& expected = options_.update.expected;
  expected.background_sentences = options_.background;
  expected.background = options_.background > 0.0 ? text_ : std::vector<double>{};
  for (double& sum : expected.background) sum *= options_.background;
  options_.update.lexical_step = options_.rate;
  options_.update.dense_steps = dense_rates_;
  for (double& step : options_.update.dense_steps) step *= options_.rate;
  engine::parallel_for_worker(batch.size(), threads, [&](std::size_t i, int w) {
    if (!workers[w])
      workers[w].reset(new Worker{decode::RuleCache(model, weights_, search.table_limit),
                                  decode::PhraseSearch(model, weights_, search),
                                  decode::ForcedSearch(model, options_.update.forced)});
    updates[i] =
        violation_update(model, weights_, options_.update, pairs_[batch[i].pair], batch[i].prefix,
                         workers[w]->forced, workers[w]->cache, workers[w]->search);
  });
  return updates;
}

BatchReport ViolationLearner::add(const std::vector<ViolationUpdate>& updates, int threads) {
  BatchReport report;
  if (updates.empty()) return report;
  const double share = options_.sum ? 1.0 : 1.0 / static_cast<double>(updates.size());
  std::vector<features::KeyChange> changes;
  std::vector<double> dense(dense_rates_.size(), 0.0);
  for (const ViolationUpdate& update : updates) {
    report.outcomes.push_back(static_cast<std::uint8_t>(update.outcome));
    report.bins.push_back(update.bin);
    report.words.push_back(update.words);
    report.violations.push_back(update.violation);
    report.reached.push_back(update.reached ? 1 : 0);
    if (update.dense.empty()) continue;
    if (update.dense.size() != dense.size())
      throw OptionError("an update of another number of dense features");
    double rate = options_.rate;
    if (options_.passive_aggressive) {
      double norm = 0.0;
      for (const features::KeyChange& change : update.sparse) norm += change.change * change.change;
      for (std::size_t i = 0; i < dense_rates_.size(); ++i)
        norm += dense_rates_[i] * update.dense[i] * update.dense[i];
      const double loss = update.violation + options_.update.margin;
      rate = norm > 0.0 ? std::clamp(loss / norm, 0.0, options_.rate) : 0.0;
    }
    for (const features::KeyChange& change : update.sparse)
      changes.push_back({change.key, static_cast<float>(rate * share * change.change)});
    for (std::size_t i = 0; i < dense.size(); ++i)
      dense[i] += rate * share * dense_rates_[i] * update.dense[i];
  }
  lexical_->weights().add(changes, steps_, threads);
  add_to_text(updates);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    weights_[i] += dense[i];
    lagged_[i] += steps_ * dense[i];
  }
  steps_ += 1.0;
  return report;
}

void ViolationLearner::add_to_text(const std::vector<ViolationUpdate>& updates) {
  std::vector<double> sums;
  double sentences = 0.0;
  for (const ViolationUpdate& update : updates) {
    if (update.stats.empty()) continue;
    sums.resize(update.stats.size());
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += update.stats[i];
    sentences += 1.0;
  }
  if (sums.empty()) return;
  const double share = text_.empty() ? 1.0 : kNewest;
  text_.resize(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i)
    text_[i] += share * (sums[i] / sentences - text_[i]);
}

std::vector<double> ViolationLearner::dense_weights(bool average) const {
  std::vector<double> out = weights_;
  if (average && steps_ > 0.0)
    for (std::size_t i = 0; i < out.size(); ++i) out[i] -= lagged_[i] / steps_;
  return out;
}

std::shared_ptr<features::LexicalModel> ViolationLearner::lexical(bool average) const {
  return lexical_->with_weights(lexical_->weights().averaged(average ? steps_ : 0.0));
}

void ViolationLearner::restore(std::vector<double> weights, std::vector<double> lagged,
                               std::vector<double> text, double steps) {
  if (weights.size() != weights_.size() || lagged.size() != lagged_.size())
    throw OptionError("a state of another number of features");
  weights_ = std::move(weights);
  lagged_ = std::move(lagged);
  text_ = std::move(text);
  steps_ = steps;
}

}  // namespace tunesmith::learn
