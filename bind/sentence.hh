// Source sentences with prescribed translations.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "decode/search_options.hh"

namespace tunesmith::bind {

// Prescribes the translation of every sentence; no targets leave all free.
inline void set_targets(std::vector<decode::SourceSentence>& sentences,
                        std::vector<std::vector<std::string>>&& targets) {
  if (targets.empty()) return;
  if (targets.size() != sentences.size())
    throw OptionError(std::to_string(targets.size()) + " translations for " +
                      std::to_string(sentences.size()) + " sentences");
  for (std::size_t s = 0; s < targets.size(); ++s) sentences[s].target = std::move(targets[s]);
}

}  // namespace tunesmith::bind
