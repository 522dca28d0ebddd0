#include "formats/plf.hh"

#include <algorithm>

#include "base/error.hh"
#include "formats/nbest.hh"

namespace tunesmith::formats {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";

class PlfParser {
 public:
  explicit PlfParser(std::string_view line) : line_(line) { next(); }

  std::vector<PlfNode> nodes() {
    std::vector<PlfNode> found;
    if (token_.empty()) return found;
    items([&] {
      PlfNode node;
      items([&] { node.push_back(arc()); });
      found.push_back(std::move(node));
    });
    if (!token_.empty()) fail("the end of the line");
    return found;
  }

 private:
  template <typename Item>
  void items(const Item& item) {
    take('(', "'('");
    while (!is(')')) {
      item();
      if (!is(')')) take(',', "',' or ')'");
    }
    next();
  }

  PlfArc arc() {
    PlfArc found;
    take('(', "'('");
    found.word = word();
    while (is(',')) {
      next();
      if (is(')') && !found.numbers.empty()) break;
      if (token_.empty() || std::string_view("(),'\"").find(token_[0]) != std::string_view::npos)
        fail("a number");
      found.numbers.push_back(token_);
      next();
    }
    take(')', "',' or ')'");
    return found;
  }

  std::string word() {
    if (token_.empty() || (token_[0] != '\'' && token_[0] != '"')) fail("a word in quotes");
    std::string text;
    for (std::size_t i = 1; i + 1 < token_.size(); ++i) {
      if (token_[i] == '\\') ++i;
      text += token_[i];
    }
    next();
    return text;
  }

  // Sets token_ to what comes next: a parenthesis, a comma, something in quotes or a run of other
  // characters; to nothing at the end of the line.
  void next() {
    begin_ = std::min(line_.find_first_not_of(kBlanks, end_), line_.size());
    end_ = begin_;
    if (begin_ == line_.size()) {
      token_ = {};
      return;
    }
    const char first = line_[begin_];
    if (first == '\'' || first == '"') {
      do {
        end_ += line_[end_] == '\\' ? 2 : 1;
        if (end_ >= line_.size())
          throw BadLine{"a word whose quotes are not closed", "a quote behind it", {}};
      } while (line_[end_] != first);
      ++end_;
    } else if (std::string_view("(),").find(first) != std::string_view::npos) {
      ++end_;
    } else {
      end_ = std::min(line_.find_first_of(" \t\n\v\f\r(),'\"", begin_), line_.size());
    }
    token_ = line_.substr(begin_, end_ - begin_);
  }

  bool is(char wanted) const { return token_.size() == 1 && token_[0] == wanted; }
  void take(char wanted, const char* expected) {
    if (!is(wanted)) fail(expected);
    next();
  }
  [[noreturn]] void fail(const char* expected) const {
    if (token_.empty()) throw BadLine{"the end of the line", expected, {}};
    // Characters, not bytes: those of UTF-8 that go on are not counted.
    const auto before = std::ranges::count_if(line_.substr(0, begin_),
                                              [](char byte) { return (byte & 0xC0) != 0x80; });
    throw BadLine{quoted(token_) + " at character " + std::to_string(before + 1), expected, {}};
  }

  std::string_view line_, token_;
  std::size_t begin_ = 0, end_ = 0;  // of token_
};

}  // namespace

std::vector<PlfNode> parse_plf(std::string_view line) { return PlfParser(line).nodes(); }

}  // namespace tunesmith::formats
