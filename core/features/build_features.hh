// Runs templates over all rules of a table.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "features/rule_features.hh"
#include "features/rule_templates.hh"

namespace tunesmith::features {

// Features that somebody else computed: row r of a table owns the entries [ends[r − 1], ends[r]),
// ids are those of the writer's names.
struct GivenRows {
  std::span<const std::uint64_t> ends;  // empty: none
  std::span<const std::uint32_t> ids;
  std::span<const float> values;
};

// Throws OptionError unless they are rows of so many rules, with ids of so many names.
void check_given(const GivenRows& given, std::uint64_t rules, std::uint32_t names);

// Adds the rows of `table` to `writer`: what the templates fire and what is given. Ids follow the
// order in which features first occur, whatever the number of threads. `done(n)` is called as rules
// are finished, from the calling thread.
void add_features(RuleFeaturesWriter& writer, const grammar::PhraseTable& table,
                  std::span<RuleTemplate* const> templates, const GivenRows& given, int threads,
                  const std::function<void(std::size_t)>& done = {});

}  // namespace tunesmith::features
