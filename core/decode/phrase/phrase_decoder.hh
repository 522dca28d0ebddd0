// Sentences in, translations with derivations and feature values out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "decode/phrase/phrase_session.hh"
#include "decode/translation.hh"

namespace tunesmith::decode {

// The feature values of a derivation, computed from its steps alone: what search adds up on its
// way is checked against this.
FeatureValues derivation_features(const PhraseModel& model, const SourceSentence& sentence,
                                  const std::vector<DerivationStep>& steps,
                                  const std::string& text);

// Decodes all sentences on `threads` threads; `look(s, graph)` may look at every search graph, from
// any thread.
std::vector<SentenceResult> decode_phrases(PhraseSession& session,
                                           const std::vector<SourceSentence>& sentences,
                                           const KBestOptions& kbest, int threads,
                                           const SearchGraphVisitor& look = {});

}  // namespace tunesmith::decode
