#include <algorithm>
#include <numeric>
#include <string>

#include "base/error.hh"
#include "decode/forbidden_phrases.hh"
#include "decode/search_options.hh"

namespace tunesmith::decode {
namespace {

void check_constraints(const SourceSentence& sentence, const std::string& name) {
  int last_end = 0;
  for (const ForcedPhrase& phrase : sentence.forced) {
    if (phrase.begin < last_end || phrase.end <= phrase.begin ||
        phrase.end > static_cast<int>(sentence.words.size()))
      throw OptionError(name + ": prescribed spans must be in order and inside the sentence");
    last_end = phrase.end;
  }
  for (const std::vector<std::string>& phrase : sentence.forbidden)
    if (phrase.empty() || phrase.size() > ForbiddenPhrases::kMostWords)
      throw OptionError(name + ": a forbidden phrase of " + std::to_string(phrase.size()) +
                        " words, expected 1 to " + std::to_string(ForbiddenPhrases::kMostWords));
}

// Every node but the first is led to, and every one but the last is left.
void check_lattice(const SourceSentence& lattice, const std::string& name) {
  if (lattice.arcs.size() != lattice.words.size())
    throw OptionError(name + ": one word for each arc is needed");
  if (lattice.arcs.size() > kMostArcs)
    throw OptionError(name + " has " + std::to_string(lattice.arcs.size()) + " arcs, more than " +
                      std::to_string(kMostArcs));
  if (!lattice.forced.empty()) throw OptionError(name + ": a lattice with prescribed spans");
  for (const LatticeArc& arc : lattice.arcs)
    if (arc.begin < 0 || arc.end <= arc.begin || arc.end > kMostArcs)
      throw OptionError(name + ": an arc from " + std::to_string(arc.begin) + " to " +
                        std::to_string(arc.end));
  const int last = lattice_nodes(lattice) - 1;
  std::vector<std::uint8_t> reached(last + 1, 0), left(last + 1, 0);
  reached[0] = left[last] = 1;
  for (const LatticeArc& arc : lattice.arcs) reached[arc.end] = left[arc.begin] = 1;
  for (int node = 0; node <= last; ++node)
    if (reached[node] == 0 || left[node] == 0)
      throw OptionError(name + ": node " + std::to_string(node) + " is on no way to the end");
}

}  // namespace

std::vector<int> unknown_run_ends(const std::vector<bool>& unknown,
                                  const SourceSentence& sentence) {
  const auto words = static_cast<int>(unknown.size());
  std::vector<bool> joinable = unknown, border(unknown.size() + 1, false);
  for (const ForcedPhrase& phrase : sentence.forced)
    std::fill(joinable.begin() + phrase.begin, joinable.begin() + phrase.end, false);
  const auto cut = [&](int at) {
    if (at >= 0 && at <= words) border[at] = true;
  };
  std::ranges::for_each(sentence.walls, cut);
  for (const auto& [begin, end] : sentence.zones)
    for (const int at : {begin, end}) cut(at);
  // Brackets and quotes are no part of a run.
  for (const auto& [begin, end] : sentence.enclosures)
    for (const int at : {begin, begin + 1, end - 1, end}) cut(at);
  std::vector<int> ends(unknown.size());
  std::iota(ends.begin(), ends.end(), 1);
  for (int begin = 0; begin < words; begin = ends[begin]) {
    int& end = ends[begin];
    while (joinable[begin] && end < words && joinable[end] && !border[end]) ++end;
  }
  return ends;
}

int lattice_nodes(const SourceSentence& lattice) {
  int last = 0;
  for (const LatticeArc& arc : lattice.arcs) last = std::max(last, arc.end);
  return last + 1;
}

void check_sentences(const std::vector<SourceSentence>& sentences, int most_words) {
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const SourceSentence& sentence = sentences[s];
    const std::string name = "sentence " + std::to_string(s + 1);
    if (!sentence.arcs.empty()) check_lattice(sentence, name);
    const int words = sentence.arcs.empty() ? static_cast<int>(sentence.words.size())
                                            : lattice_nodes(sentence) - 1;
    if (words > most_words)
      throw OptionError(name + " has " + std::to_string(words) + " words, more than " +
                        std::to_string(most_words));
    if (!sentence.copies.empty() && sentence.copies.size() != sentence.words.size())
      throw OptionError(name + ": one copy per word is needed");
    check_constraints(sentence, name);
  }
}

}  // namespace tunesmith::decode
