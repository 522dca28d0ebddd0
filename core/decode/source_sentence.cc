#include <string>

#include "base/error.hh"
#include "decode/search_options.hh"

namespace tunesmith::decode {

void check_sentences(const std::vector<SourceSentence>& sentences, int most_words) {
  for (std::size_t s = 0; s < sentences.size(); ++s) {
    const auto words = static_cast<int>(sentences[s].words.size());
    if (words > most_words)
      throw OptionError("sentence " + std::to_string(s + 1) + " has " + std::to_string(words) +
                        " words, more than " + std::to_string(most_words));
    if (!sentences[s].copies.empty() && sentences[s].copies.size() != sentences[s].words.size())
      throw OptionError("sentence " + std::to_string(s + 1) + ": one copy per word is needed");
    int last_end = 0;
    for (const ForcedPhrase& phrase : sentences[s].forced) {
      if (phrase.begin < last_end || phrase.end <= phrase.begin || phrase.end > words)
        throw OptionError("sentence " + std::to_string(s + 1) +
                          ": prescribed spans must be in order and inside the sentence");
      last_end = phrase.end;
    }
  }
}

}  // namespace tunesmith::decode
