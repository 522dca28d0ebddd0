// Which lexical features there are behind a model's keys: those of a derivation, and those that the
// model's rules have, alone and in the places where a text has their source words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "decode/phrase/phrase_decoder.hh"
#include "decode/phrase_model.hh"
#include "decode/search_options.hh"

namespace tunesmith::decode {

struct NamedFeature {
  std::string name;
  std::uint64_t key = 0;  // as the weights know it
  float weight = 0.0F;
};

// The lexical features of every step of a derivation, those of weight 0 left out. `levels` names
// the levels of words.
std::vector<std::vector<NamedFeature>> derivation_names(const PhraseModel& model,
                                                        const SourceSentence& sentence,
                                                        const std::vector<DerivationStep>& steps,
                                                        const std::string& text,
                                                        const std::vector<std::string>& levels);

// The names of the features with these keys (of the weights): those of all rules, and of all rules
// in the places of `text` where they fit. Sorted by key, then name: where keys are folded one may
// have several. Features that see the rule before are not looked for: there are as many as pairs of
// rules. `done(n)` is called as sentences are finished, from any thread.
std::vector<NamedFeature> find_names(const PhraseModel& model,
                                     const std::vector<std::uint64_t>& keys,
                                     const std::vector<std::vector<std::string>>& text,
                                     const std::vector<std::string>& levels, int threads,
                                     const std::function<void(std::size_t)>& done = {});

}  // namespace tunesmith::decode
