// What a caller may say about phrase-based search.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tunesmith::decode {

struct SearchOptions {
  // Candidates taken from the cubes of each stack (cube pruning, Huang & Chiang 2007).
  int pop_limit = 1000;
  // Hypotheses kept in a stack after recombination.
  int stack_size = 2000;
  // A hypothesis this much (natural log) below the best of its stack is dropped.
  float beam_threshold = std::numeric_limits<float>::infinity();
  // A candidate that cannot come within the threshold, whatever the language models will say of
  // it, is dropped before they are asked, and costs no pop (early discarding).
  bool early_discarding = false;
  // Longest jump in the source, in words; negative means no limit (up to 60 words).
  int distortion_limit = 6;
  // Rules kept for each source phrase, the best by their own scores.
  int table_limit = 20;
  // Every coverage gets at least this many candidates.
  int diversity = 0;
  // Unknown words are left out instead of copied.
  bool drop_unknown = false;
  // Seconds for one sentence; then the rest is translated greedily. 0 means no limit.
  double time_limit = 0.0;
};

// A translation that the caller prescribes for the source words [begin, end).
struct ForcedPhrase {
  int begin = 0, end = 0;
  std::vector<std::string> target;
};

// A word of a lattice, between two of its nodes.
struct LatticeArc {
  int begin = 0, end = 0;
  std::vector<float> scores;
};

struct SourceSentence {
  std::vector<std::string> words;
  // Not empty: a lattice; its words stand on these arcs, one on each.
  std::vector<LatticeArc> arcs;
  // What unknown words become, word by word; empty means the words themselves.
  std::vector<std::string> copies;
  // Only these translations are used for their spans; forced spans do not overlap.
  std::vector<ForcedPhrase> forced;
  // Everything before position w is translated before anything from w on.
  std::vector<int> walls;
  // Spans [begin, end) that are translated without interruption.
  std::vector<std::pair<int, int>> zones;
  // Spans [begin, end) whose first and last word, brackets or quotes, enclose the translation of
  // what they enclose: zones that begin with their first word and end with their last one.
  std::vector<std::pair<int, int>> enclosures;
  // Words and phrases that no translation has, but in words that are prescribed. Where nothing else
  // is left, source words are left out. A prescribed translation of the whole is made all the same.
  std::vector<std::vector<std::string>> forbidden;
  // The word behind the last one, where the text goes on: it is not translated, and the end of the
  // translation is no end of a sentence to the language models.
  std::optional<std::string> after;
  // Only derivations of exactly these words are searched.
  std::optional<std::vector<std::string>> target;
};

// Where the run of unknown words that begins at each word ends: a run goes up to a word about which
// the sentence says something else. Any other word ends behind itself.
std::vector<int> unknown_run_ends(const std::vector<bool>& unknown, const SourceSentence& sentence);

// Nodes of a lattice: they are numbered from 0, the last one is the end.
int lattice_nodes(const SourceSentence& lattice);

// The most arcs of a lattice.
constexpr int kMostArcs = 20'000;

// Throws OptionError for a sentence that is too long or whose parts do not fit together.
void check_sentences(const std::vector<SourceSentence>& sentences, int most_words);

}  // namespace tunesmith::decode
