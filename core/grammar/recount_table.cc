#include "grammar/recount_table.hh"

#include <cmath>
#include <unordered_map>
#include <vector>

#include "grammar/phrase_table_writer.hh"

namespace tunesmith::grammar {

void write_recounted_rules(const PhraseTable& table, std::span<const std::uint32_t> counts,
                           const std::string& path, std::string_view meta) {
  if (counts.size() != table.rules())
    throw OptionError(std::to_string(counts.size()) + " counts for " +
                      std::to_string(table.rules()) + " rules");
  if (table.scores_per_rule() < 3)
    throw OptionError("a phrase table without the scores that extraction gives");
  std::unordered_map<std::uint64_t, std::uint64_t> of_target;
  for (std::uint64_t r = 0; r < table.rules(); ++r)
    if (counts[r] > 0) of_target[phrase_key(table.target(r))] += counts[r];

  const int size = table.scores_per_rule();
  PhraseTableWriter writer(path, size, table.reordering_per_rule());
  std::vector<float> scores(size);
  for (std::uint64_t s = 0; s < table.sources(); ++s) {
    const RuleRange range = table.rules_of(s);
    std::uint64_t of_source = 0;
    for (std::uint64_t r = range.begin; r < range.end; ++r) of_source += counts[r];
    if (of_source == 0) continue;
    writer.add_source(table.key(s), table.source(s));
    for (std::uint64_t r = range.begin; r < range.end; ++r) {
      if (counts[r] == 0) continue;
      const std::uint64_t target = of_target[phrase_key(table.target(r))];
      const double count = counts[r];
      scores.assign(table.scores(r), table.scores(r) + size);
      scores[0] = static_cast<float>(std::log(count / static_cast<double>(target)));
      scores[2] = static_cast<float>(std::log(count / static_cast<double>(of_source)));
      RuleData data;
      data.target = table.target(r);
      data.scores = scores;
      data.links = table.links(r);
      data.counts[0] = static_cast<float>(target);
      data.counts[1] = static_cast<float>(of_source);
      data.counts[2] = static_cast<float>(count);
      if (table.reordering_per_rule() > 0)
        data.reordering = {table.reordering(r),
                           static_cast<std::size_t>(table.reordering_per_rule())};
      writer.add_rule(data);
    }
  }
  writer.finish(table.source_vocabulary(), table.target_vocabulary(), meta);
}

}  // namespace tunesmith::grammar
