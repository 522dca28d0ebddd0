// Grammars in the text formats of cdec and Joshua.
//
//   [X] ||| [X,1] ein [X,2] ||| [X,2] a [X,1] ||| EgivenF=0.5 CountEF=2 ||| 1-1
//
// On the target side a non-terminal is [X,2], [2] or [X,2] with any label; Joshua's features may be
// numbers without names, which are called by their places: 0, 1, ….
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/string_index.hh"
#include "grammar/scfg/scfg_rules.hh"
#include "grammar/scfg/unary_rules.hh"

namespace tunesmith::grammar {

// What a file may have at most.
constexpr int kMaxLabels = 1 << 15;
constexpr std::size_t kMaxRuleSymbols = 1000;
constexpr std::uint32_t kMaxRuleFeatures = 4096;

struct ScfgGrammar {
  ScfgRules rules;
  StringIndex source_words, target_words, labels, features;
  UnaryRules unary;  // of the lines that were read
};

// Adds whole lines of a file to a grammar; throws InputError with the line, also if a label can
// become itself by rules of one non-terminal and nothing else. Blank lines and cdec's comments
// ("# …") are passed over.
void read_scfg(std::string_view lines, const std::string& path, std::uint64_t first_line,
               ScfgGrammar& out);

// Throws InputError if a label of any grammar can become itself in that way.
void check_unary_rules(const ScfgGrammar& grammar, const std::string& path);

// The same rules without those that are there for a second time, whatever their features.
std::shared_ptr<ScfgGrammar> distinct_rules(const ScfgGrammar& grammar);

// A word as it can stand in a grammar in text: one that looks like its signs (|||, [X,1], [1]) is
// written with entities, as Moses has them.
std::string grammar_word(std::string_view word);

// The rules as lines of cdec's format, with words as `grammar_word` writes them.
std::string scfg_text(const ScfgRules& rules, const StringIndex& source_words,
                      const StringIndex& target_words, const StringIndex& labels,
                      const StringIndex& features);

}  // namespace tunesmith::grammar
