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

reorder::SpanWords edges_of(const PlaceReordering& place) {
  return {place.before, place.source.front(), place.source.back(), place.behind};
}

}  // namespace

MaxentReordering::MaxentReordering(std::shared_ptr<const reorder::MaxentModel> model,
                                   std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
                                   std::unique_ptr<const LexicalisedReordering> lexicalised,
                                   bool keep_unknown_order)
    : ReorderingModel(shapes_of(*model, lexicalised.get())),
      model_(std::move(model)),
      tables_(std::move(tables)),
      lexicalised_(std::move(lexicalised)),
      keep_unknown_order_(keep_unknown_order) {
  for (const auto& table : tables_) {
    const StringIndex& words = table->target_vocabulary();
    auto& ids = target_ids_.emplace_back();
    for (std::uint32_t id = 0; id < words.size(); ++id)
      ids.push_back(model_->target().find(words.text(id)));
  }
}

PlaceReordering MaxentReordering::at(const RulePlace& place) const {
  const StringIndex& words = model_->source();
  PlaceReordering found{.place = place};
  for (int i = place.begin; i < place.end; ++i)
    found.source.push_back(words.find(place.sentence[i]));
  const auto beside = [&](int i, bool is_border) {
    return is_border ? reorder::kBorder : words.find(place.word(i));
  };
  const int last = static_cast<int>(place.sentence.size());
  found.before = beside(place.begin - 1, place.begin == 0);
  found.behind = beside(place.end, place.end == last && place.after == nullptr);
  thread_local std::vector<std::uint64_t> keys;
  keys.clear();
  model_->features().of_span(edges_of(found), keys);
  model_->add(keys, found.sums);
  return found;
}

const float* MaxentReordering::in_place(const PhraseRule& rule, const PlaceReordering& place,
                                        Arena& arena) const {
  if (rule.rule == grammar::kNoRule && !keep_unknown_order_) return nullptr;
  auto* scores = arena.make<float>(size());
  float* own = scores;
  if (lexicalised_ != nullptr) {
    const float* table = lexicalised_->of_rule(rule);
    own = table == nullptr ? std::fill_n(scores, lexicalised_->size(), 0.0F)
                           : std::copy_n(table, lexicalised_->size(), scores);
  }
  if (rule.rule == grammar::kNoRule)
    model_->log_probabilities(place.sums, own);
  else
    score(rule, place, own);
  return scores;
}

void MaxentReordering::score(const PhraseRule& rule, const PlaceReordering& place,
                             float* out) const {
  thread_local std::vector<std::uint64_t> keys;
  thread_local std::vector<std::uint32_t> target;
  keys.clear();
  target.clear();
  const reorder::PhraseFeatures& features = model_->features();
  const grammar::PhraseTable& table = *tables_[rule.table];
  for (const std::uint32_t word : table.target(rule.rule))
    target.push_back(target_ids_[rule.table][word]);
  for (const std::uint16_t link : table.links(rule.rule)) {
    // Links of an imported table are as good as its file.
    const std::size_t f = link >> 8, e = link & 0xFF;
    if (f < place.source.size() && e < target.size())
      features.of_link(place.source[f], target[e], keys);
  }
  if (!target.empty()) features.of_edges(edges_of(place), target.front(), target.back(), keys);
  features.of_phrase(place.source, target, keys);
  auto sums = place.sums;
  model_->add(keys, sums);
  model_->log_probabilities(sums, out);
}

}  // namespace tunesmith::decode
