// A corpus with word links, as borrowed arrays.
#pragma once

#include <cstdint>
#include <span>

#include "formats/pharaoh.hh"

namespace tunesmith::grammar {

struct AlignedCorpus {
  std::span<const std::uint64_t> source_offsets, target_offsets;  // one more than sentences
  std::span<const std::uint32_t> source_ids, target_ids;
  formats::LinkView links;
  // Of several corpora: that of each sentence, from 0. Otherwise empty.
  std::span<const std::uint8_t> origins = {};
  int corpora = 1;

  std::size_t sentences() const { return source_offsets.size() - 1; }
  std::span<const std::uint32_t> source(std::size_t s) const {
    return source_ids.subspan(source_offsets[s], source_offsets[s + 1] - source_offsets[s]);
  }
  std::span<const std::uint32_t> target(std::size_t s) const {
    return target_ids.subspan(target_offsets[s], target_offsets[s + 1] - target_offsets[s]);
  }
  std::span<const std::uint32_t> link_sources(std::size_t s) const {
    return links.source.subspan(links.offsets[s], links.offsets[s + 1] - links.offsets[s]);
  }
  std::span<const std::uint32_t> link_targets(std::size_t s) const {
    return links.target.subspan(links.offsets[s], links.offsets[s + 1] - links.offsets[s]);
  }
};

// Throws OptionError unless there are links for every sentence, each between two of its words, and
// origins that are there name one of the corpora.
void check_links(const AlignedCorpus& corpus);

}  // namespace tunesmith::grammar
