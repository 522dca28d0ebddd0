// Counts of single texts of n-best lists.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tunesmith::rescore {

using Texts = std::span<const std::string_view>;
using Offsets = std::span<const std::int64_t>;

// Words between white space, or characters without it, of every text.
std::vector<std::uint32_t> lengths(Texts texts, bool characters, int threads);

// The first row of its list that has the same words as each text.
std::vector<std::int64_t> first_equals(Texts texts, Offsets lists, int threads);

// What of a source sentence should stand in its translation as it is.
struct CopyKinds {
  bool numbers = true;  // words with a digit; of these only the digits count
  bool urls = true;     // addresses of pages and mail boxes
  bool names = true;    // words that begin with a capital letter, but not the first of a sentence
};

// How many such words of the source of its list each text lacks; a word that the source has twice
// is wanted twice. Punctuation around words does not matter. sources[l] is that of list l.
std::vector<std::uint32_t> missing_copies(Texts texts, Offsets lists, Texts sources,
                                          CopyKinds kinds, int threads);

}  // namespace tunesmith::rescore
