// A corpus with word links ← numpy arrays, checked on the way in.
#pragma once

#include "grammar/aligned_corpus.hh"
#include "links.hh"

namespace tunesmith::bind {

inline grammar::AlignedCorpus corpus_of(const In<std::uint64_t>& source_offsets,
                                        const In<std::uint32_t>& source_ids,
                                        const In<std::uint64_t>& target_offsets,
                                        const In<std::uint32_t>& target_ids,
                                        const formats::LinkView& links) {
  check_offsets(span_of(source_offsets), source_ids.size());
  check_offsets(span_of(target_offsets), target_ids.size());
  return {span_of(source_offsets), span_of(target_offsets), span_of(source_ids),
          span_of(target_ids), links};
}

}  // namespace tunesmith::bind
