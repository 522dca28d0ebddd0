#include <limits>

#include "base/error.hh"
#include "base/number.hh"
#include "graph/graph_readers.hh"

namespace tunesmith::graph {
namespace {

constexpr std::string_view kNoWord = "*EPS*";

class PlfReader final : public GraphReader {
 public:
  PlfReader(std::string path, GraphReadOptions options)
      : GraphReader(std::move(path)), options_(std::move(options)) {}

 private:
  void line(std::string_view text) override {
    begin_ = at_ = text.data();
    end_ = begin_ + text.size();
    skip();
    if (at_ == end_) {
      close_empty_sentence();
      return;
    }
    std::uint32_t nodes = 0, last = 0;
    list([&] {
      bool any = false;
      list([&] {
        last = std::max(last, arc(nodes));
        any = true;
      });
      if (!any)
        throw formats::BadLine{
            "node " + std::to_string(nodes) + " without arcs", "one at least", {}};
      ++nodes;
    });
    skip();
    if (at_ != end_) fail("the end of the line");
    if (nodes == 0) {
      close_empty_sentence();
      return;
    }
    if (last != nodes)
      throw formats::BadLine{
          "an arc to node " + std::to_string(last),
          "node " + std::to_string(nodes) + ", the one behind the last, as the furthest",
          {}};
    close_sentence(nodes, "node");
  }

  // ( item , item , … ), with or without a last comma.
  template <typename Item>
  void list(const Item& item) {
    expect('(', "'('");
    skip();
    while (!take(')')) {
      item();
      skip();
      if (take(')')) return;
      expect(',', "',' or ')'");
      skip();
    }
  }

  // ('word', number, …, distance); the node it leads to.
  std::uint32_t arc(std::uint32_t from) {
    skip();
    expect('(', "'(' before a word");
    skip();
    if (from > 0) assembler_.edges().words.push_back(tail_slot(0));
    const std::string word = string();
    if (word != kNoWord && !word.empty()) push_word(word);
    numbers_.clear();
    skip();
    while (!take(')')) {
      expect(',', "',' or ')'");
      skip();
      if (take(')')) break;
      double value = 0.0;
      const char* after = parse_number(at_, end_, value);
      if (after == nullptr) fail("a number");
      at_ = after;
      numbers_.push_back(value);
      skip();
    }
    if (numbers_.empty()) fail("('word', number, …, distance) before it");
    const double distance = numbers_.back();
    if (!(distance >= 1 && distance <= 1e8) ||
        distance != static_cast<double>(static_cast<std::uint32_t>(distance)))
      throw formats::BadLine{
          "distance " + text_of(distance) + " of an arc of node " + std::to_string(from),
          "a whole number from 1 on, or nodes are not in order",
          {}};
    for (std::size_t i = 0; i + 1 < numbers_.size(); ++i)
      set_feature(placed_name(options_.names, "Feature_", i), numbers_[i]);
    const std::uint32_t head = from + static_cast<std::uint32_t>(distance);
    const std::uint32_t tail[1] = {from};
    close_edge(head, std::span(tail, from == 0 ? 0 : 1), -1, -1);
    return head;
  }

  std::string string() {
    if (at_ == end_ || (*at_ != '\'' && *at_ != '"')) fail("a word in quotes");
    const char quote = *at_++;
    std::string text;
    while (at_ != end_ && *at_ != quote) {
      if (*at_ == '\\' && ++at_ == end_) break;
      text += *at_++;
    }
    if (at_ == end_) fail("the end of the word");
    ++at_;
    if (text.find(' ') != std::string::npos)
      throw formats::BadLine{"word " + quoted(text), "a word without blanks", {}};
    return text;
  }

  static std::string text_of(double value) {
    std::string text = std::to_string(value);
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
  }
  void skip() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t')) ++at_;
  }
  bool take(char wanted) {
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }
  void expect(char wanted, const char* what) {
    if (!take(wanted)) fail(what);
  }
  [[noreturn]] void fail(const std::string& expected) const {
    const std::string place = " at column " + std::to_string(at_ - begin_ + 1);
    if (at_ == end_)
      throw formats::BadLine{"the end of the line" + place, expected, "is the line cut off?"};
    throw formats::BadLine{
        quoted(std::string_view(at_, std::min<std::size_t>(end_ - at_, 10))) + place, expected, {}};
  }

  GraphReadOptions options_;
  const char *begin_ = nullptr, *at_ = nullptr, *end_ = nullptr;
  std::vector<double> numbers_;
};

}  // namespace

std::unique_ptr<GraphReader> make_plf_reader(std::string path, const GraphReadOptions& options) {
  return std::make_unique<PlfReader>(std::move(path), options);
}

}  // namespace tunesmith::graph
