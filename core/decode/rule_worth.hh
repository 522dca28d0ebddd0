// What a rule is worth alone: the first of the two parts of a derivation's features; the second is
// pair_worth.hh. Search, lists, graphs, forced decoding and learning all ask here.
//
// A part of the score is added to what is there already, feature by feature, so that sums are
// rounded in the same way whoever asks.
#pragma once

#include <cstdint>
#include <span>

#include "decode/arena.hh"
#include "decode/phrase_model.hh"
#include "decode/phrase_rule.hh"

namespace tunesmith::decode {

// Sets what tables and the reordering model have for a phrase pair: `pair` are its rules in the
// tables of a group, one at least.
void read_tables(const PhraseModel& model, TableGroup group, std::span<const std::uint32_t> pair,
                 Arena& arena, PhraseRule& rule);

// score + w · h of what all rules of a source phrase have alike.
double add_phrase_score(double score, const PhraseModel& model, std::span<const double> weights,
                        const PhraseRule& rule);
// score + w · h of what the rule's words are worth, whatever tables say.
double add_words_score(double score, const PhraseModel& model, std::span<const double> weights,
                       const PhraseRule& rule);
// score + w · h of what the rule has in its tables: scores, and sparse features.
double add_table_score(double score, const PhraseModel& model, std::span<const double> weights,
                       const PhraseRule& rule);

// features += h of all three; the sparse ones go behind what `sparse` has.
void add_rule_features(const PhraseModel& model, const PhraseRule& rule, double* features,
                       SparseVector& sparse);

}  // namespace tunesmith::decode
