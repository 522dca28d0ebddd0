#include <charconv>
#include <numeric>

#include "lm/ngrams.hh"

namespace tunesmith::lm {
namespace {

class Writer {
 public:
  Writer(const Ngrams& ngrams, const std::function<void(std::string_view)>& write)
      : ngrams_(ngrams), write_(write) {}

  void run() {
    text_ = "\\data\\\n";
    for (int n = 1; n <= ngrams_.order(); ++n)
      text_ += "ngram " + std::to_string(n) + "=" + std::to_string(ngrams_.counts[n - 1]) + "\n";
    for (int n = 1; n <= ngrams_.order(); ++n) write_order(n);
    text_ += "\n\\end\\\n";
    write_(text_);
  }

 private:
  void write_order(int n) {
    const OrderNgrams& list = ngrams_.orders[n - 1];
    std::vector<WordId>& first = first_.emplace_back(list.size());
    if (n == 1) std::iota(first.begin(), first.end(), 0);
    for (std::size_t i = 0; n > 1 && i < list.size(); ++i)
      first[i] = first_[n - 2][list.context[i]];

    text_ += "\n\\" + std::to_string(n) + "-grams:\n";
    const std::size_t begin = n == 1 && !ngrams_.has_unknown;
    std::string rest;  // the words behind the first; neighbours in the list share them
    std::uint32_t rest_of = 0xFFFFFFFF;
    for (std::size_t i = begin; i < begin + ngrams_.counts[n - 1]; ++i) {
      if (n > 1 && list.suffix[i] != rest_of) {
        rest_of = list.suffix[i];
        rest.clear();
        std::uint32_t place = rest_of;
        for (int k = n - 1; k >= 1; --k) {
          rest += ' ';
          rest += ngrams_.vocabulary.text(first_[k - 1][place]);
          place = ngrams_.orders[k - 1].suffix[place];
        }
      }
      number(list.log10[i]);
      text_ += '\t';
      text_ += ngrams_.vocabulary.text(first[i]);
      text_ += rest;
      if (n < ngrams_.order()) {
        text_ += '\t';
        number(list.backoff[i]);
      }
      text_ += '\n';
      if (text_.size() < kPiece) continue;
      write_(text_);
      text_.clear();
    }
  }

  void number(float value) {
    char digits[64];
    // −0 is 0 for everybody who reads the file.
    const auto end = std::to_chars(digits, digits + sizeof digits, value == 0.0f ? 0.0f : value,
                                   std::chars_format::fixed)
                         .ptr;
    text_.append(digits, end);
  }

  static constexpr std::size_t kPiece = 1 << 20;

  const Ngrams& ngrams_;
  const std::function<void(std::string_view)>& write_;
  std::vector<std::vector<WordId>> first_;  // the first word of every n-gram, by order
  std::string text_;
};

}  // namespace

void write_arpa(const Ngrams& ngrams, const std::function<void(std::string_view)>& write) {
  Writer(ngrams, write).run();
}

}  // namespace tunesmith::lm
