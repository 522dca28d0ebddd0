// ARPA files: the text format in which language models are exchanged.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "lm/ngrams.hh"

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

// Writes the model as an ARPA file, piece by piece. N-grams are in the order of their word ids;
// numbers have the fewest digits that read back to the same float.
void write_arpa(const Model& model, const std::function<void(std::string_view)>& write);

}  // namespace tunesmith::lm
