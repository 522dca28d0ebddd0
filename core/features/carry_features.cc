#include "features/carry_features.hh"

#include <algorithm>

#include "base/error.hh"

namespace tunesmith::features {

void carry_features(RuleFeaturesWriter& writer, const RuleFeatures& features,
                    const grammar::PhraseTable& whole, const grammar::PhraseTable& table) {
  const int place = features.table_of(whole);
  if (!std::ranges::equal(whole.target_vocabulary().bytes(), table.target_vocabulary().bytes()) ||
      !std::ranges::equal(whole.source_vocabulary().bytes(), table.source_vocabulary().bytes()))
    throw InputError(table.path(), 0, "other words than " + whole.path(), "some of its rules");
  for (std::uint32_t id = 0; id < features.size(); ++id)
    if (writer.names().add(features.name(id)) != id)
      throw InputError(features.path(), 0, "feature " + quoted(features.name(id)) + " out of place",
                       "the same names, each once, for all tables", "make the features again");
  writer.begin_table(table);
  SparseVector row;
  for (std::uint64_t source = 0; source < table.sources(); ++source) {
    const grammar::RuleRange old = whole.find(table.key(source));
    const grammar::RuleRange range = table.rules_of(source);
    std::uint64_t at = old.begin;
    for (std::uint64_t rule = range.begin; rule < range.end; ++rule, ++at) {
      while (at < old.end && !std::ranges::equal(whole.target(at), table.target(rule))) ++at;
      if (at >= old.end)
        throw InputError(table.path(), 0, "a rule that " + whole.path() + " does not have",
                         "some of its rules");
      row.clear();
      row.add(features.row(place, at));
      writer.add_row(row);
    }
  }
}

}  // namespace tunesmith::features
