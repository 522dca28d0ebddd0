#include "decode/lexicalised_reordering.hh"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hh"

namespace tunesmith::decode {
namespace {

// Words of a table that are looked at for those that are unknown, evenly spread.
constexpr std::uint64_t kSampledWords = 2000;

}  // namespace

LexicalisedReordering::LexicalisedReordering(
    ReorderingShape shape, std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
    bool keep_unknown_order)
    : ReorderingModel(shape), tables_(std::move(tables)), keep_unknown_order_(keep_unknown_order) {
  if (shape.size() == 0) return;  // the scores of the tables are not looked at
  for (const auto& table : tables_) {
    const int found = table->reordering_per_rule();
    if (found != shape.size() && (found != 0 || table == tables_[0]))
      throw InputError(table->path(), 0, std::to_string(found) + " reordering scores a rule",
                       std::to_string(shape.size()) + " as the model says");
  }
  if (keep_unknown_order_) of_unknown_ = mean_of_words();
}

std::vector<float> LexicalisedReordering::mean_of_words() const {
  const grammar::PhraseTable& table = *tables_[0];
  const std::uint64_t words = table.source_vocabulary().size();
  const std::uint64_t sampled = std::min(words, kSampledWords);
  std::vector<double> sums(size(), 0.0);
  int counted = 0;
  for (std::uint64_t i = 0; i < sampled; ++i) {
    const auto word = static_cast<std::uint32_t>(i * words / sampled);
    const grammar::RuleRange rules =
        table.find(grammar::extend_phrase(grammar::kEmptyPhrase, word));
    if (rules.begin == rules.end) continue;
    ++counted;
    for (std::uint64_t rule = rules.begin; rule < rules.end; ++rule)
      for (int k = 0; k < size(); ++k)
        sums[k] +=
            std::exp(table.reordering(rule)[k]) / static_cast<double>(rules.end - rules.begin);
  }
  std::vector<float> mean;
  if (counted > 0)
    for (const double sum : sums) mean.push_back(static_cast<float>(std::log(sum / counted)));
  return mean;
}

const float* LexicalisedReordering::of_rule(const PhraseRule& rule) const {
  if (rule.rule == grammar::kNoRule) return of_unknown_.empty() ? nullptr : of_unknown_.data();
  if (rule.pair == nullptr) return tables_[rule.table]->reordering(rule.rule);
  for (std::size_t t = 0; t < tables_.size(); ++t)
    if (rule.pair[t] != grammar::kNoRule)
      if (const float* scores = tables_[t]->reordering(rule.pair[t]); scores != nullptr)
        return scores;
  return nullptr;
}

}  // namespace tunesmith::decode
