// Features of a smaller table from those of the table it was made of.
#pragma once

#include "features/rule_features.hh"

namespace tunesmith::features {

// Adds the rows of `table`, whose rules are some of those of `whole` in the same order, with the
// features that they have there. All names of `features` are kept with their ids, so that weights
// of features that occur no more still have a name.
void carry_features(RuleFeaturesWriter& writer, const RuleFeatures& features,
                    const grammar::PhraseTable& whole, const grammar::PhraseTable& table);

}  // namespace tunesmith::features
