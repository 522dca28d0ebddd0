// Source sentences as Python hands them in.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.hh"
#include "decode/search_options.hh"

namespace tunesmith::bind {

// (words, copies, [(begin, end, target words)], walls, zones, enclosures, [(begin, end, scores)] of a
//  lattice, forbidden phrases)
using SentenceTuple = std::tuple<std::vector<std::string>, std::vector<std::string>,
                                 std::vector<std::tuple<int, int, std::vector<std::string>>>,
                                 std::vector<int>, std::vector<std::pair<int, int>>,
                                 std::vector<std::pair<int, int>>,
                                 std::vector<std::tuple<int, int, std::vector<float>>>,
                                 std::vector<std::vector<std::string>>>;

inline decode::SourceSentence to_sentence(SentenceTuple&& tuple) {
  decode::SourceSentence sentence;
  auto& [words, copies, forced, walls, zones, enclosures, arcs, forbidden] = tuple;
  sentence.words = std::move(words);
  sentence.copies = std::move(copies);
  for (auto& [begin, end, target] : forced)
    sentence.forced.push_back({begin, end, std::move(target)});
  sentence.walls = std::move(walls);
  sentence.zones = std::move(zones);
  sentence.enclosures = std::move(enclosures);
  for (auto& [begin, end, scores] : arcs) sentence.arcs.push_back({begin, end, std::move(scores)});
  sentence.forbidden = std::move(forbidden);
  return sentence;
}

inline std::vector<decode::SourceSentence> to_sentences(std::vector<SentenceTuple>&& tuples) {
  std::vector<decode::SourceSentence> sentences;
  sentences.reserve(tuples.size());
  for (auto& tuple : tuples) sentences.push_back(to_sentence(std::move(tuple)));
  return sentences;
}

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
