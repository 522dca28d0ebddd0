// From a corpus with word links to the index that hierarchical rules are looked up in.
#pragma once

#include <string>
#include <string_view>

#include "base/string_index.hh"
#include "grammar/aligned_corpus.hh"
#include "grammar/scfg/hiero_options.hh"

namespace tunesmith::grammar {

void build_hiero_index(const AlignedCorpus& corpus, const StringIndex& source_vocabulary,
                       const StringIndex& target_vocabulary, const HieroOptions& options,
                       const std::string& path, std::string_view meta, int threads);

}  // namespace tunesmith::grammar
