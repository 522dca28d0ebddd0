#include "decode/maxent_reordering.hh"

#include <algorithm>

namespace tunesmith::decode {
namespace {

std::vector<ReorderingShape> shapes_of(const reorder::MaxentModel& model,
                                       const LexicalisedReordering* lexicalised) {
  std::vector<ReorderingShape> shapes;
  if (lexicalised != nullptr) shapes.push_back(lexicalised->shapes()[0]);
  shapes.push_back({model.classes(), model.previous(), model.next(), model.single()});
  return shapes;
}

}  // namespace

MaxentReordering::MaxentReordering(std::shared_ptr<const reorder::MaxentModel> model,
                                   std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
                                   std::unique_ptr<const LexicalisedReordering> lexicalised)
    : ReorderingModel(shapes_of(*model, lexicalised.get())),
      model_(std::move(model)),
      tables_(std::move(tables)),
      lexicalised_(std::move(lexicalised)) {
  for (const auto& table : tables_) {
    const StringIndex& words = table->target_vocabulary();
    auto& ids = target_ids_.emplace_back();
    for (std::uint32_t id = 0; id < words.size(); ++id)
      ids.push_back(model_->target().find(words.text(id)));
  }
}

const float* MaxentReordering::in_place(const PhraseRule& rule, const RulePlace& place,
                                        Arena& arena) const {
  if (rule.rule == grammar::kNoRule) return nullptr;
  auto* scores = arena.make<float>(size());
  float* own = scores;
  if (lexicalised_ != nullptr) {
    const float* table = lexicalised_->of_rule(rule);
    own = table == nullptr ? std::fill_n(scores, lexicalised_->size(), 0.0F)
                           : std::copy_n(table, lexicalised_->size(), scores);
  }
  score(rule, place, own);
  return scores;
}

void MaxentReordering::score(const PhraseRule& rule, const RulePlace& place, float* out) const {
  thread_local std::vector<std::uint64_t> keys;
  keys.clear();
  const reorder::PhraseFeatures& features = model_->features();
  const StringIndex& source = model_->source();
  const grammar::PhraseTable& table = *tables_[rule.table];
  const auto target = table.target(rule.rule);
  for (const std::uint16_t link : table.links(rule.rule)) {
    // Links of an imported table are as good as its file.
    const std::size_t f = link >> 8, e = link & 0xFF;
    if (place.begin + f >= static_cast<std::size_t>(place.end) || e >= target.size()) continue;
    features.pair(source.find(place.sentence[place.begin + f]), target_ids_[rule.table][target[e]],
                  keys);
  }
  const bool first = place.begin == 0;
  features.before(first ? reorder::kBorder : source.find(place.word(place.begin - 1)), keys);
  const int words = static_cast<int>(place.sentence.size());
  const bool last = place.end == words && place.after == nullptr;
  features.behind(last ? reorder::kBorder : source.find(place.word(place.end)), keys);
  model_->log_probabilities(keys, out);
}

}  // namespace tunesmith::decode
