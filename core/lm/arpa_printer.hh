// The text of an ARPA file, handed on in large pieces.
#pragma once

#include <charconv>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace tunesmith::lm {

class ArpaPrinter {
 public:
  explicit ArpaPrinter(const std::function<void(std::string_view)>& write) : write_(write) {}

  void header(std::span<const std::uint64_t> counts) {
    text_ = "\\data\\\n";
    for (std::size_t n = 1; n <= counts.size(); ++n)
      text_ += "ngram " + std::to_string(n) + "=" + std::to_string(counts[n - 1]) + "\n";
  }
  void section(int n) { text_ += "\n\\" + std::to_string(n) + "-grams:\n"; }
  // An n-gram, its words in two parts; backoff() may follow, end_line() must.
  void line(float log10, std::string_view words, std::string_view more_words) {
    number(log10);
    text_ += '\t';
    text_ += words;
    text_ += more_words;
  }
  void backoff(float log10) {
    text_ += '\t';
    number(log10);
  }
  void end_line() {
    text_ += '\n';
    if (text_.size() < kPiece) return;
    write_(text_);
    text_.clear();
  }
  void end() {
    text_ += "\n\\end\\\n";
    write_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t kPiece = 1 << 20;

  // The fewest digits that read back to the same float; −0 is 0 for everybody who reads it.
  void number(float value) {
    char digits[64];
    const auto end = std::to_chars(digits, digits + sizeof digits, value == 0.0f ? 0.0f : value,
                                   std::chars_format::fixed)
                         .ptr;
    text_.append(digits, end);
  }

  const std::function<void(std::string_view)>& write_;
  std::string text_;
};

}  // namespace tunesmith::lm
