// Finds the context and the suffix of every n-gram of an ARPA file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lm/ngram_key.hh"
#include "lm/ngrams.hh"

namespace tunesmith::lm {

// Where n-grams were read, for messages: n-gram i of order n stands on line first_line[n − 1] + i.
struct NgramOrigin {
  std::string path;
  std::vector<std::uint64_t> first_line;
};

// Takes one order after the other. N-grams whose suffix is missing (pruned models) get one, with
// the score that back-off gives it, so that an n-gram of the result always has its suffix there.
class NgramLinker {
 public:
  NgramLinker(Ngrams& ngrams, const NgramOrigin& origin);
  // Links the n-grams of `order`, whose words are given one after the other. Throws InputError for
  // a repeated n-gram, and for one whose context is not an n-gram.
  void link(int order, const std::vector<WordId>& words);

 private:
  // Open addressing: places in the list of one order, by context and last word.
  struct Index {
    std::vector<std::uint32_t> slots;
    std::size_t used = 0;
  };

  std::uint32_t find(int order, std::uint32_t context, WordId word) const;
  void insert(int order, std::uint32_t place);
  std::uint32_t suffix_of(int order, std::uint32_t context, WordId word);
  std::string text(const WordId* words, int n) const;

  Ngrams& ngrams_;
  const NgramOrigin& origin_;
  std::vector<Index> index_;  // by order − 1; none for unigrams
};

}  // namespace tunesmith::lm
