#include "lm/arpa.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hh"
#include "base/utf8.hh"

namespace tunesmith::lm {
namespace {

// Memory is reserved for what the header promises up to this; a lie must not take it all.
constexpr std::uint64_t kMaxReserve = 1 << 22;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

void split(std::string_view text, std::vector<std::string_view>& out) {
  out.clear();
  std::size_t i = 0;
  for (;;) {
    while (i < text.size() && is_space(text[i])) ++i;
    if (i == text.size()) return;
    const std::size_t begin = i;
    while (i < text.size() && !is_space(text[i])) ++i;
    out.push_back(text.substr(begin, i - begin));
  }
}

std::string grams(int n) { return std::to_string(n) + "-grams"; }

// What else the first line of such a file may be, and what to do about it.
std::string remedy_for(std::string_view first) {
  if (first.starts_with("mmap lm http://kheafield.com/code"))
    return "this is a KenLM binary, which no other tool reads; give the ARPA file it was made from";
  if (first.starts_with("iARPA")) return "convert the IRSTLM file with `compile-lm --text=yes`";
  if (first.starts_with("blmt") || first.starts_with("Qblmt"))
    return "this is an IRSTLM binary; convert it with `compile-lm --text=yes`";
  if (first.starts_with("SRILM_BINARY_NGRAM"))
    return "this is an SRILM binary; convert it with `ngram -lm FILE -write-lm OUT.arpa`";
  if (first.starts_with("BZh")) return "this is bzip2; unpack it first";
  if (first.starts_with("\x28\xb5\x2f\xfd")) return "this is zstandard; unpack it first";
  return "give an ARPA file or a model made by `tunesmith lm`";
}

}  // namespace

ArpaParser::ArpaParser(std::string path) {
  out_.vocabulary = marker_vocabulary();
  origin_.path = std::move(path);
  seen_.assign(3, false);
}

void ArpaParser::fail(std::string found, std::string expected, std::string remedy) const {
  throw InputError(origin_.path, line_, std::move(found), std::move(expected), std::move(remedy));
}

void ArpaParser::feed(std::string_view piece) {
  for (;;) {
    const std::size_t end = piece.find('\n');
    if (end == std::string_view::npos) {
      // No line of an ARPA file is this long; another format's binary may be.
      if (rest_.size() + piece.size() > (1 << 24)) {
        ++line_;
        fail("a line of more than 16 MB", "an ARPA file",
             remedy_for(rest_.empty() ? piece : rest_));
      }
      rest_ += piece;
      return;
    }
    if (rest_.empty()) {
      line(piece.substr(0, end));
    } else {
      rest_ += piece.substr(0, end);
      const std::string whole = std::move(rest_);
      rest_.clear();
      line(whole);
    }
    piece.remove_prefix(end + 1);
  }
}

void ArpaParser::line(std::string_view text) {
  ++line_;
  text = trimmed(text);
  switch (place_) {
    case Place::kStart:
      if (text.empty()) return;
      if (text != "\\data\\") fail(quoted(text), "'\\data\\' at the start", remedy_for(text));
      place_ = Place::kCounts;
      return;
    case Place::kCounts:
      if (!text.empty()) return count_line(text);
      if (counts_.empty()) return;
      place_ = Place::kBeforeSection;
      return;
    case Place::kBeforeSection:
      if (!text.empty()) section_line(text);
      return;
    case Place::kSection:
      // Some tools leave no empty line between sections; no n-gram starts with a backslash.
      if (!text.empty() && text[0] != '\\') return ngram_line(text);
      end_section();
      if (!text.empty()) section_line(text);
      return;
    case Place::kEnd:
      if (!text.empty()) fail(quoted(text) + " after '\\end\\'", "the end of the file");
      return;
  }
}

void ArpaParser::count_line(std::string_view text) {
  const int n = static_cast<int>(counts_.size()) + 1;
  if (text[0] == '\\' && n > 1) {
    place_ = Place::kBeforeSection;
    return section_line(text);
  }
  const std::string head = "ngram " + std::to_string(n) + "=";
  std::uint64_t count = 0;
  if (text.starts_with(head)) {
    text.remove_prefix(head.size());
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (error == std::errc() && end == text.data() + text.size()) {
      if (n > kMaxOrder) fail("order " + std::to_string(n), "at most " + std::to_string(kMaxOrder));
      counts_.push_back(count);
      count_lines_.push_back(line_);
      return;
    }
    text = {text.data() - head.size(), text.size() + head.size()};
  }
  fail(quoted(text), "'" + head + "COUNT'");
}

void ArpaParser::section_line(std::string_view text) {
  const int order = static_cast<int>(counts_.size());
  if (section_ == order) {
    if (text != "\\end\\")
      fail(quoted(text), "'\\end\\' after the " + grams(order),
           "the header promises no longer n-grams");
    place_ = Place::kEnd;
    return;
  }
  const std::string wanted = "\\" + grams(section_ + 1) + ":";
  if (text != wanted) fail(quoted(text), "'" + wanted + "'");
  ++section_;
  place_ = Place::kSection;
  origin_.first_line.push_back(line_ + 1);
  if (section_ == 1) {
    out_.orders.resize(order);
    out_.counts = counts_;
    linker_ = std::make_unique<NgramLinker>(out_, origin_);
  }
  OrderNgrams& ngrams = out_.orders[section_ - 1];
  const std::uint64_t reserve = std::min(counts_[section_ - 1], kMaxReserve);
  ngrams.log10.reserve(reserve);
  words_.clear();
  words_.reserve(reserve * section_);
  if (section_ < order) ngrams.backoff.reserve(reserve);
}

float ArpaParser::number(std::string_view field, const char* what) const {
  const char* begin = field.data();
  const char* const end = begin + field.size();
  if (begin != end && *begin == '+') ++begin;
  float value = 0.0f;
  const auto [stop, error] = std::from_chars(begin, end, value);
  if (error == std::errc::result_out_of_range && stop == end) {
    // Too small for a float: the nearest is zero. Too large is not a number we can use.
    const std::size_t e = field.find_first_of("eE");
    if (e != std::string_view::npos && e + 1 < field.size() && field[e + 1] == '-') return 0.0f;
  }
  if (error != std::errc() || stop != end || !std::isfinite(value))
    fail(quoted(field) + " as " + what, "a finite number");
  return value;
}

void ArpaParser::ngram_line(std::string_view text) {
  const int n = section_, order = static_cast<int>(counts_.size());
  OrderNgrams& ngrams = out_.orders[n - 1];
  if (ngrams.size() == counts_[n - 1])
    fail("more than " + std::to_string(counts_[n - 1]) + " " + grams(n),
         "as many as line " + std::to_string(count_lines_[n - 1]) + " says",
         "the counts in the header are wrong or the file was edited: make it again");
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos)
    fail("invalid UTF-8 at byte " + std::to_string(bad + 1), "UTF-8",
         "convert the file, for example with `iconv -t utf-8`");
  split(text, fields_);
  const std::size_t least = n + 1, most = n < order ? n + 2 : n + 1;
  if (fields_.size() < least || fields_.size() > most)
    fail(std::to_string(fields_.size()) + " fields in " + quoted(text),
         n < order ? "a log-probability, " + std::to_string(n) + " words and a back-off weight"
                   : "a log-probability and " + std::to_string(n) + " words");
  const float log10 = number(fields_[0], "log-probability");
  if (log10 > 0.0f)
    fail("log-probability " + std::string(fields_[0]), "at most 0",
         "probabilities are log10: the file is damaged or was written by a broken tool");
  const float backoff =
      fields_.size() == most && n < order ? number(fields_.back(), "back-off weight") : 0.0f;
  if (n == 1) {
    const WordId id = out_.vocabulary.add(fields_[1]);
    if (id >= seen_.size()) seen_.resize(id + 1, false);
    if (seen_[id]) fail(quoted(fields_[1]) + " for the second time", "every n-gram once");
    seen_[id] = true;
    unigram_log10_.resize(out_.vocabulary.size(), 0.0f);
    unigram_backoff_.resize(out_.vocabulary.size(), 0.0f);
    unigram_log10_[id] = log10;
    unigram_backoff_[id] = backoff;
  } else {
    for (int k = 1; k <= n; ++k) {
      const WordId id = out_.vocabulary.find(fields_[k]);
      if (id == StringIndex::kMissing || !seen_[id])
        fail("word " + quoted(fields_[k]), "words of the 1-grams only");
      words_.push_back(id);
    }
  }
  ngrams.log10.push_back(log10);
  if (n < order) ngrams.backoff.push_back(backoff);
}

void ArpaParser::end_section() {
  const int n = section_;
  OrderNgrams& ngrams = out_.orders[n - 1];
  if (ngrams.size() != counts_[n - 1])
    fail(std::to_string(ngrams.size()) + " " + grams(n),
         std::to_string(counts_[n - 1]) + " as line " + std::to_string(count_lines_[n - 1]) +
             " says",
         "the counts in the header are wrong or the file is cut short: make it again");
  if (n == 1) {
    for (const WordId marker : {kBegin, kEnd})
      if (!seen_[marker])
        fail("no " + std::string(out_.vocabulary.text(marker)) + " among the 1-grams",
             "a model with sentence boundaries", "train it with <s> and </s>");
    out_.has_unknown = seen_[kUnknown];
    if (!out_.has_unknown) unigram_log10_[kUnknown] = kMissingUnknownLog10;
    ngrams.log10 = std::move(unigram_log10_);
    if (counts_.size() > 1) ngrams.backoff = std::move(unigram_backoff_);
    words_.resize(ngrams.size());
    std::iota(words_.begin(), words_.end(), 0);
  }
  linker_->link(n, words_);
  place_ = Place::kBeforeSection;
}

Ngrams ArpaParser::finish() {
  if (!rest_.empty()) line(std::exchange(rest_, {}));
  if (place_ != Place::kEnd) {
    ++line_;
    if (place_ == Place::kStart) fail("an empty file", "an ARPA file");
    fail("the end of the file", "'\\end\\'", "the file is cut short: copy or make it again");
  }
  linker_.reset();
  return std::move(out_);
}

}  // namespace tunesmith::lm
