// Threads of the learner, towards references and towards expected BLEU: the same weights, bytes and
// reports with one and with several, for local features and for those that see the rule before.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "decode/lexicalised_reordering.hh"
#include "learn/violation_learner.hh"
#include "tests/aligned_text.hh"

using namespace tunesmith;

namespace {

constexpr std::size_t kBatch = 12, kFolds = 2, kBatches = 8;

struct Learned {
  std::string lexical;  // the file, with all that a learner needs to go on
  std::vector<double> weights;
  std::vector<std::uint8_t> outcomes;
  std::vector<double> violations;
  bool operator==(const Learned&) const = default;
};

std::shared_ptr<features::LexicalModel> make_lexical(bool history) {
  features::LexicalOptions options;
  options.levels = {features::AtomLevel::kWord, features::AtomLevel::kCharacter,
                    features::AtomLevel::kType};
  options.costs = {5, 3, 1};
  options.rule_pairs = options.history = history;
  return std::make_shared<features::LexicalModel>(
      options, features::WordAtoms(options.levels, {}, {}),
      features::WordAtoms(options.levels, {}, {}), features::WeightTable());
}

Learned learn(const AlignedText& text, const std::shared_ptr<const grammar::PhraseTable>& table,
              const std::shared_ptr<const lm::Model>& language_model, bool history,
              learn::UpdateMethod method, int threads) {
  const auto lexical = make_lexical(history);
  decode::ReorderingShape shape;
  shape.previous = shape.next = true;
  std::vector<std::shared_ptr<const decode::PhraseModel>> models;
  for (std::size_t fold = 0; fold < kFolds; ++fold)
    models.push_back(std::make_shared<decode::PhraseModel>(
        std::vector<std::shared_ptr<const grammar::PhraseTable>>{table},
        std::vector<std::shared_ptr<const lm::Model>>{language_model},
        std::make_shared<decode::LexicalisedReordering>(shape, std::vector{table}), nullptr,
        lexical));
  const decode::PhraseModel& model = *models[0];
  StringIndex source_words, target_words;
  const auto coded = [](StringIndex& words, const std::vector<std::string>& lines) {
    const std::vector<std::string_view> views(lines.begin(), lines.begin() + kBatches * kBatch);
    return corpus::encode_lines(words, views, 1);
  };
  const auto source = coded(source_words, text.source), target = coded(target_words, text.target);
  const decode::TrainingText pairs({source_words, source.offsets, source.ids},
                                   {target_words, target.offsets, target.ids});
  std::vector<std::uint32_t> folds;
  for (std::size_t s = 0; s < kBatches * kBatch; ++s)
    folds.push_back(static_cast<std::uint32_t>(s / kBatch % kFolds));
  std::vector<double> weights(model.weights(), 0.2);
  weights[model.plain_begin() + decode::kWordPenalty] = -0.1;
  weights[model.lexical_index()] = 1.0;
  learn::LearnerOptions options;
  options.update.method = method;
  options.background = 20.0;
  options.rate = 0.05;
  options.dense_rates.assign(model.weights(), 0.01);
  options.update.search.pop_limit = options.update.search.stack_size = 10;
  learn::ViolationLearner learner(models, lexical, pairs, folds, weights, options);
  Learned result;
  for (std::uint32_t b = 0; b < kBatches; ++b) {
    std::vector<learn::LearningExample> batch(kBatch);
    for (std::uint32_t i = 0; i < kBatch; ++i) batch[i].pair = b * kBatch + i;
    const learn::BatchReport report = learner.step(batch, threads);
    result.outcomes.insert(result.outcomes.end(), report.outcomes.begin(), report.outcomes.end());
    result.violations.insert(result.violations.end(), report.violations.begin(),
                             report.violations.end());
  }
  result.weights = learner.dense_weights(true);
  const std::string path = (std::filesystem::temp_directory_path() / "learn_test.lexical").string();
  learner.lexical(false)->save(path, true, "{}");
  result.lexical = bytes_of(path);
  learner.lexical(true)->save(path, false, "{}");
  result.lexical += bytes_of(path);
  std::remove(path.c_str());
  return result;
}

int run(const AlignedText& text, const std::string& path) {
  const auto table = std::make_shared<grammar::PhraseTable>(path);
  const auto language_model = estimate(text);
  for (const learn::UpdateMethod method :
       {learn::UpdateMethod::kMaxViolation, learn::UpdateMethod::kExpected}) {
    for (const bool history : {false, true}) {
      const Learned one = learn(text, table, language_model, history, method, 1);
      int updates = 0;
      for (const std::uint8_t outcome : one.outcomes)
        updates += outcome == static_cast<std::uint8_t>(learn::UpdateOutcome::kUpdated);
      if (updates < 10) return 1;  // nothing that could differ
      if (learn(text, table, language_model, history, method, 4) != one) return 2;
    }
  }
  return 0;
}

}  // namespace

int main() {
  const AlignedText text = make_text(300);
  const std::string path = build_table(text, "learn_test.table", 1);
  const int status = run(text, path);
  std::remove(path.c_str());
  return status;
}
