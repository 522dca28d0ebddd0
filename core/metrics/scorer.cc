#include "metrics/scorer.hh"

#include <algorithm>
#include <string>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::metrics {

std::uint32_t count_sentences(const References& references) {
  if (references.empty()) throw OptionError("no references");
  for (std::size_t r = 1; r < references.size(); ++r) {
    if (references[r].size() != references[0].size())
      throw OptionError("reference 1 has " + std::to_string(references[0].size()) +
                        " sentences, but reference " + std::to_string(r + 1) + " has " +
                        std::to_string(references[r].size()));
  }
  return static_cast<std::uint32_t>(references[0].size());
}

CombinedScorer::CombinedScorer(std::vector<std::shared_ptr<const SegmentScorer>> parts)
    : parts_(std::move(parts)) {
  if (parts_.empty()) throw OptionError("a combined metric needs at least one part");
  for (const auto& part : parts_) {
    if (part->sentences() != parts_.front()->sentences())
      throw OptionError(
          "the parts of a combined metric have references for different numbers of "
          "sentences");
    size_ += part->size();
  }
}

void CombinedScorer::stats(std::uint32_t sentence, std::string_view hypothesis,
                           std::int32_t* out) const {
  for (const auto& part : parts_) {
    part->stats(sentence, hypothesis, out);
    out += part->size();
  }
}

void batch_stats(const SegmentScorer& scorer, const std::vector<std::string_view>& hypotheses,
                 const std::uint32_t* sentences, std::int32_t* out, int threads) {
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    if (sentences[i] >= scorer.sentences())
      throw OptionError("hypothesis " + std::to_string(i) + " belongs to sentence " +
                        std::to_string(sentences[i]) + ", but there are references for " +
                        std::to_string(scorer.sentences()) + " sentences only");
  }
  const auto size = static_cast<std::size_t>(scorer.size());
  // Blocks, because one call per hypothesis costs as much as a short hypothesis.
  constexpr std::size_t kBlock = 256;
  const std::size_t blocks = (hypotheses.size() + kBlock - 1) / kBlock;
  engine::parallel_for(blocks, threads, [&](std::size_t block) {
    const std::size_t end = std::min(hypotheses.size(), (block + 1) * kBlock);
    for (std::size_t i = block * kBlock; i < end; ++i)
      scorer.stats(sentences[i], hypotheses[i], out + i * size);
  });
}

}  // namespace tunesmith::metrics
