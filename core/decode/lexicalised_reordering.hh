// The lexicalised reordering model (Tillmann 2004; Koehn et al. 2005): a rule has the scores that
// its phrase table has for it, wherever it stands.
#pragma once

#include <memory>
#include <vector>

#include "decode/reordering.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::decode {

class LexicalisedReordering final : public ReorderingModel {
 public:
  // Throws where a table has another number of scores than the shape. A table after the first may
  // have none; its rules then get none.
  LexicalisedReordering(ReorderingShape shape,
                        std::vector<std::shared_ptr<const grammar::PhraseTable>> tables,
                        bool keep_unknown_order = false);

  bool keeps_unknown_order() const override { return keep_unknown_order_; }
  // Those of the first of its tables that has any.
  const float* of_rule(const PhraseRule& rule) const override;

 private:
  // Log probabilities of the orientations of words, each word counting once: most words of a
  // text are rare, so these are what an unknown word is most like.
  std::vector<float> mean_of_words() const;

  std::vector<std::shared_ptr<const grammar::PhraseTable>> tables_;
  bool keep_unknown_order_;
  std::vector<float> of_unknown_;  // empty: none
};

}  // namespace tunesmith::decode
