// A corpus with word links, ready to be asked for the hierarchical rules of any input: both sides
// with their suffix arrays, links, word translation probabilities, and where the most frequent
// words stand together with a gap between them (Lopez 2007), in one memory-mapped file.
//
// What is read is checked as it is first used: every function may throw InputError.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/array_file.hh"
#include "base/string_index.hh"
#include "grammar/count_smoothing.hh"
#include "grammar/scfg/hiero_options.hh"
#include "grammar/scfg/suffix_array.hh"

namespace tunesmith::grammar {

// The places of the other side that a word is linked to, first and last; none if first > last.
struct LinkRange {
  std::uint16_t first = 0xFFFF, last = 0;
  bool empty() const { return first > last; }
};

// Where a pattern with gaps stands: its first word in the text, and how far behind it the parts
// after the gaps begin.
struct Occurrence {
  std::uint32_t begin = 0;
  std::uint8_t second = 0, third = 0;
  std::uint8_t length = 0;  // from its first word to its last
};

class HieroIndex {
 public:
  static constexpr std::string_view kKind = "hiero-index";
  static constexpr std::uint32_t kVersion = 2;

  explicit HieroIndex(const std::string& path);

  const std::string& path() const { return file_.path(); }
  std::uint64_t bytes() const { return file_.size(); }
  std::size_t sentences() const { return source_.sentences(); }
  std::uint64_t source_tokens() const { return source_.suffixes.size(); }
  std::uint64_t target_tokens() const { return target_.suffixes.size(); }
  const HieroOptions& options() const { return options_; }
  // Of all rules that were looked at when the index was made: what discounts are taken from.
  const CountsOfCounts& counts_of_counts() const { return counts_of_counts_; }
  std::string_view meta() const { return file_.text("meta"); }
  const StringIndex& source_words() const { return source_words_; }
  const StringIndex& target_words() const { return target_words_; }
  const SuffixText& source() const { return source_; }
  const SuffixText& target() const { return target_; }

  // The sentence that a place of the source text is in, and where that begins.
  std::uint32_t sentence_of(std::uint32_t place) const { return sentence_of_[place]; }
  // How many corpora the sentences are from, and which one is from which; 0 if there is one.
  int corpora() const { return corpora_; }
  int origin_of(std::uint32_t sentence) const { return corpora_ > 1 ? origins_[sentence] : 0; }
  // Ask for the memory behind sentence_of, then for where the sentence begins on both sides, then
  // for its links from the target side, near to where they lead.
  void prefetch_sentence_of(std::uint32_t place) const { prefetch_item(sentence_of_, place); }
  void prefetch_begins(std::uint32_t place) const;
  void prefetch_target(std::uint32_t place) const;
  // Links of the word at a place of the source text: places in the target sentence, ascending.
  std::span<const std::uint16_t> links_of(std::uint32_t place) const {
    return links_.slice(place == 0 ? 0 : link_ends_[place - 1], link_ends_[place]);
  }
  // For the words of a sentence, where they are linked to in the other sentence.
  std::span<const LinkRange> source_links(std::size_t s) const {
    return source_links_.slice(source_.begins[s], source_.begins[s + 1] - 1);
  }
  std::span<const LinkRange> target_links(std::size_t s) const {
    return target_links_.slice(target_.begins[s], target_.begins[s + 1] - 1);
  }

  // w(e|f) and w(f|e) by word links; 0 where there are none. A word may also come from none (NULL).
  struct WordPair {
    float target_given_source = 0.0F, source_given_target = 0.0F;
  };
  WordPair word_pair(std::uint32_t source, std::uint32_t target) const;
  float target_given_null(std::uint32_t word) const { return target_given_null_[word]; }
  float source_given_null(std::uint32_t word) const { return source_given_null_[word]; }

  // Where two frequent words stand with a gap between, thinned by a stride; each stands for
  // `weight`. Nothing was looked up of other words.
  struct Collocations {
    bool known = false;
    std::span<const std::uint32_t> begins;
    std::span<const std::uint8_t> seconds;
    double weight = 1.0;
  };
  Collocations collocations(std::uint32_t left, std::uint32_t right) const;

 private:
  ArrayFile file_;
  HieroOptions options_;
  CountsOfCounts counts_of_counts_;
  StringIndex source_words_, target_words_;
  SuffixText source_, target_;
  CheckedArray<std::uint32_t> sentence_of_, link_ends_;
  CheckedArray<std::uint16_t> links_;
  CheckedArray<LinkRange> source_links_, target_links_;
  CheckedArray<std::uint32_t> lexicon_ends_, lexicon_targets_;
  CheckedArray<WordPair> lexicon_;
  CheckedArray<float> target_given_null_, source_given_null_;
  std::vector<std::uint32_t> frequent_;  // words, ascending
  CheckedArray<std::uint64_t> collocation_ends_, collocation_totals_;
  CheckedArray<std::uint32_t> collocation_begins_;
  CheckedArray<std::uint8_t> collocation_seconds_;
  int corpora_ = 1;
  CheckedArray<std::uint8_t> origins_;
};

// Options as the numbers of an array, and back.
constexpr int kHieroOptionNumbers = 12;
std::array<std::int32_t, kHieroOptionNumbers> numbers_of(const HieroOptions& options);
HieroOptions options_of(std::span<const std::int32_t> numbers);

}  // namespace tunesmith::grammar
