// The places in the lexicon of all word pairs of a block of sentences.
#pragma once

#include <cstdint>
#include <vector>

#include "align/lexicon.hh"

namespace tunesmith::align {

// Sentence pairs [first, last) whose word pairs are looked up together.
struct Block {
  std::size_t first, last;
};

// Cuts the text into blocks of about as many word pairs each; always the same ones.
std::vector<Block> cut_into_blocks(const PairView& text);

// Looking up word by word would search the lexicon once per word pair. Instead the words of the
// block are grouped, and each row of the lexicon is spread over an array once per block.
class BlockIndex {
 public:
  void set(const PairView& text, const LexiconView& lexicon, Block block);

  // For pair s of the block, n·m numbers: [i·m + j] is 1 + the place of (e_i, f_j), or 0.
  const std::uint32_t* places(std::size_t s) const {
    return places_.data() + begins_[s - block_.first];
  }

 private:
  struct Token {
    std::uint32_t word, sentence;
    std::size_t begin;  // of its m places
  };
  Block block_{};
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> begins_;
  std::vector<Token> tokens_;
  std::vector<std::uint32_t> spread_;  // per target word, all 0 between calls
};

}  // namespace tunesmith::align
