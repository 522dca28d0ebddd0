#include "grammar/aligned_corpus.hh"

#include <string>

#include "base/error.hh"

namespace tunesmith::grammar {

void check_links(const AlignedCorpus& corpus) {
  if (corpus.target_offsets.size() != corpus.source_offsets.size() ||
      corpus.links.offsets.size() != corpus.source_offsets.size())
    throw OptionError("corpus and links have different numbers of sentences");
  if (corpus.corpora > 1 && corpus.origins.size() != corpus.sentences())
    throw OptionError("corpus and its origins have different numbers of sentences");
  for (const std::uint8_t origin : corpus.origins)
    if (origin >= corpus.corpora)
      throw OptionError("corpus " + std::to_string(origin + 1) + " of a sentence, expected 1 to " +
                        std::to_string(corpus.corpora));
  for (std::size_t s = 0; s < corpus.sentences(); ++s) {
    const std::size_t source = corpus.source(s).size(), target = corpus.target(s).size();
    const auto from = corpus.link_sources(s), to = corpus.link_targets(s);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] >= source || to[i] >= target)
        throw OptionError("sentence " + std::to_string(s + 1) + ": link " +
                          std::to_string(from[i]) + "-" + std::to_string(to[i]) + " outside its " +
                          std::to_string(source) + " and " + std::to_string(target) + " words");
  }
}

}  // namespace tunesmith::grammar
