// A rule as features see it, whoever found it: search, forced decoding, or the steps of a
// derivation.
#pragma once

#include <cstdint>

#include "grammar/table_twins.hh"

namespace tunesmith::decode {

struct PhraseRule {
  int table = 0;                          // of joined tables the first that has the pair
  std::uint32_t rule = grammar::kNoRule;  // kNoRule: the words are of no table
  // Its scores in all tables of the group.
  const float* scores = nullptr;
  // Of joined tables, the pair's rule in each of them, or kNoRule; null for other tables.
  const std::uint32_t* pair = nullptr;
  // Its scores by orientation in the reordering model's order, or null.
  const float* reordering = nullptr;
  int source_size = 0, target_size = 0;  // words
  int unknown = 0;                       // how many words are copies of unknown source words
};

}  // namespace tunesmith::decode
