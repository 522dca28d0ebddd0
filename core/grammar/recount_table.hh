// A phrase table with other counts: the same rules, links, lexical weights and reordering scores.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

// Writes the rules with a count above 0, with relative frequencies of the counts for p(f|e) and
// p(e|f), the first and the third score. Source phrases without such rules are left out.
void write_recounted_rules(const PhraseTable& table, std::span<const std::uint32_t> counts,
                           const std::string& path, std::string_view meta);

}  // namespace tunesmith::grammar
