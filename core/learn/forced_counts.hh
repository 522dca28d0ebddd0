// Phrase counts from forced decoding with leave-one-out (Wuebker, Mauser & Ney 2010): which rules
// the best derivation of every training pair uses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "decode/forced/forced_search.hh"

namespace tunesmith::learn {

struct ForcedCounts {
  std::vector<std::uint32_t> counts;                   // of every rule of the first table
  std::uint64_t whole = 0, prefixes = 0, without = 0;  // pairs
};

// A rule that a pair taught the table itself has, for this pair, the probabilities without it:
// (c − 1) / (c_f − 1) and (c − 1) / (c_e − 1); a rule seen once has exp(−5 (|f| + |e|)). The first
// and third scores of the tables must be log p(f|e) and log p(e|f). `weights` as the decoder takes
// them; `done(n)` is called as pairs are finished, from any thread.
ForcedCounts forced_counts(const decode::PhraseModel& model, std::span<const double> weights,
                           const decode::TrainingText& pairs, const decode::ForcedOptions& options,
                           int threads, const std::function<void(std::size_t)>& done = {});

}  // namespace tunesmith::learn
