// ARPA files: the text format in which language models are exchanged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lm/ngram_linker.hh"

namespace tunesmith::lm {

// Reads an ARPA file that arrives in pieces. Strict: counts, sections, fields, signs and the end
// mark must be right; throws InputError with the line.
class ArpaParser {
 public:
  explicit ArpaParser(std::string path);
  void feed(std::string_view piece);
  // After the last piece.
  Ngrams finish();

 private:
  enum class Place { kStart, kCounts, kBeforeSection, kSection, kEnd };

  void line(std::string_view text);
  void count_line(std::string_view text);
  void section_line(std::string_view text);
  void ngram_line(std::string_view text);
  void end_section();
  float number(std::string_view field, const char* what) const;
  [[noreturn]] void fail(std::string found, std::string expected, std::string remedy = {}) const;

  Ngrams out_;
  NgramOrigin origin_;
  std::vector<WordId> words_;  // of the section's n-grams, one after the other
  std::unique_ptr<NgramLinker> linker_;
  std::string rest_;  // an unfinished line
  std::uint64_t line_ = 0;
  Place place_ = Place::kStart;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint64_t> count_lines_;
  std::vector<bool> seen_;  // words with a unigram
  int section_ = 0;
  std::vector<std::string_view> fields_;
  std::vector<float> unigram_log10_, unigram_backoff_;  // by id
};

}  // namespace tunesmith::lm
