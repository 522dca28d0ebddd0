// The maximum-entropy reordering model (Alrajeh & Niranjan 2014): a rule in its place has the log
// probabilities of its orientations, by its words and the source words beside it.
#pragma once

#include <memory>
#include <vector>

#include "decode/lexicalised_reordering.hh"
#include "decode/reordering.hh"
#include "grammar/phrase_table.hh"
#include "reorder/maxent_model.hh"

namespace tunesmith::decode {

class MaxentReordering final : public ReorderingModel {
 public:
  // With a lexicalised model its scores stand before those of the other.
  MaxentReordering(std::shared_ptr<const reorder::MaxentModel> model,
                   std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
                   std::unique_ptr<const LexicalisedReordering> lexicalised = nullptr,
                   bool keep_unknown_order = false);

  bool keeps_unknown_order() const override { return keep_unknown_order_; }
  // Scores are those of a place only.
  const float* of_rule(const PhraseRule& /*rule*/) const override { return nullptr; }
  bool sees_place() const override { return true; }
  PlaceReordering at(const RulePlace& place) const override;
  // Of words that are of no table, what the words beside them say; none unless unknown words keep
  // their order.
  const float* in_place(const PhraseRule& rule, const PlaceReordering& place,
                        Arena& arena) const override;
  void give_back() const override { model_->give_back(); }

 private:
  void score(const PhraseRule& rule, const PlaceReordering& place, float* out) const;

  std::shared_ptr<const reorder::MaxentModel> model_;
  std::vector<std::shared_ptr<const grammar::PhraseTable>> tables_;
  std::unique_ptr<const LexicalisedReordering> lexicalised_;  // may be null
  std::vector<std::vector<std::uint32_t>> target_ids_;        // of each table's words, the model's
  bool keep_unknown_order_;
};

}  // namespace tunesmith::decode
