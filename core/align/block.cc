#include "align/block.hh"

#include <algorithm>

#include "base/error.hh"

namespace tunesmith::align {
namespace {

// 1 MB of places: they stay in the cache of a core while the block is worked on.
constexpr std::size_t kBlockPairs = 1 << 18;

}  // namespace

std::vector<Block> cut_into_blocks(const PairView& text) {
  std::vector<Block> out;
  std::size_t first = 0, pairs = 0;
  for (std::size_t s = 0; s < text.size(); ++s) {
    if (text.used(s))
      pairs += static_cast<std::size_t>(text.source.length(s)) * text.target.length(s);
    if (pairs >= kBlockPairs) {
      out.push_back({first, s + 1});
      first = s + 1;
      pairs = 0;
    }
  }
  if (first < text.size()) out.push_back({first, text.size()});
  return out;
}

void BlockIndex::set(const PairView& text, const LexiconView& lexicon, Block block) {
  if (lexicon.targets.size() >= 0xFFFFFFFFULL)
    throw Error("more than 4,294,967,294 distinct word pairs; align less text at once");
  block_ = block;
  spread_.resize(lexicon.null_forward.size(), 0);
  begins_.clear();
  tokens_.clear();
  std::size_t size = 0;
  for (std::size_t s = block.first; s < block.last; ++s) {
    begins_.push_back(size);
    if (!text.used(s)) continue;
    for (const std::uint32_t e : text.source[s]) {
      tokens_.push_back({e, static_cast<std::uint32_t>(s), size});
      size += text.target.length(s);
    }
  }
  places_.resize(std::max(places_.size(), size));
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [](const Token& a, const Token& b) { return a.word < b.word; });
  const std::size_t source_words = lexicon.rows.size() - 1;
  for (std::size_t t = 0; t < tokens_.size();) {
    const std::uint32_t e = tokens_[t].word;
    const bool known = e < source_words;
    const std::uint64_t begin = known ? lexicon.rows[e] : 0;
    const std::uint64_t end = known ? lexicon.rows[e + 1ULL] : 0;
    for (std::uint64_t k = begin; k < end; ++k)
      spread_[lexicon.targets[k]] = static_cast<std::uint32_t>(k + 1);
    for (; t < tokens_.size() && tokens_[t].word == e; ++t) {
      std::uint32_t* place = places_.data() + tokens_[t].begin;
      for (const std::uint32_t f : text.target[tokens_[t].sentence])
        *place++ = f < spread_.size() ? spread_[f] : 0;
    }
    for (std::uint64_t k = begin; k < end; ++k) spread_[lexicon.targets[k]] = 0;
  }
}

}  // namespace tunesmith::align
