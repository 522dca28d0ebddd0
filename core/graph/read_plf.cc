#include <algorithm>

#include "base/error.hh"
#include "base/number.hh"
#include "formats/nbest.hh"
#include "formats/plf.hh"
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
    const std::vector<formats::PlfNode> nodes = formats::parse_plf(text);
    if (nodes.empty()) {
      close_empty_sentence();
      return;
    }
    const auto count = static_cast<std::uint32_t>(nodes.size());
    std::uint32_t last = 0;
    for (std::uint32_t node = 0; node < count; ++node) {
      if (nodes[node].empty())
        throw formats::BadLine{
            "node " + std::to_string(node) + " without arcs", "one at least", {}};
      for (const formats::PlfArc& arc : nodes[node]) last = std::max(last, add_arc(node, arc));
    }
    if (last != count)
      throw formats::BadLine{
          "an arc to node " + std::to_string(last),
          "node " + std::to_string(count) + ", the one behind the last, as the furthest",
          {}};
    close_sentence(count, "node");
  }

  // The node it leads to.
  std::uint32_t add_arc(std::uint32_t from, const formats::PlfArc& arc) {
    if (from > 0) assembler_.edges().words.push_back(tail_slot(0));
    if (arc.word.find(' ') != std::string::npos)
      throw formats::BadLine{"word " + quoted(arc.word), "a word without blanks", {}};
    if (arc.word != kNoWord && !arc.word.empty()) push_word(arc.word);
    if (arc.numbers.empty())
      throw formats::BadLine{
          "no number behind " + quoted(arc.word), "('word', number, …, distance)", {}};
    const double distance = number(arc.numbers.back());
    if (!(distance >= 1 && distance <= 1e8) ||
        distance != static_cast<double>(static_cast<std::uint32_t>(distance)))
      throw formats::BadLine{"distance " + std::string(arc.numbers.back()) + " of an arc of node " +
                                 std::to_string(from),
                             "a whole number from 1 on, or nodes are not in order",
                             {}};
    for (std::size_t i = 0; i + 1 < arc.numbers.size(); ++i)
      set_feature(placed_name(options_.names, "Feature_", i), number(arc.numbers[i]));
    const std::uint32_t head = from + static_cast<std::uint32_t>(distance);
    const std::uint32_t tail[1] = {from};
    close_edge(head, std::span(tail, from == 0 ? 0 : 1), -1, -1);
    return head;
  }

  static double number(std::string_view text) {
    double value = 0.0;
    if (parse_number(text.data(), text.data() + text.size(), value) != text.data() + text.size())
      throw formats::BadLine{quoted(text), "a number", {}};
    return value;
  }

  GraphReadOptions options_;
};

}  // namespace

std::unique_ptr<GraphReader> make_plf_reader(std::string path, const GraphReadOptions& options) {
  return std::make_unique<PlfReader>(std::move(path), options);
}

}  // namespace tunesmith::graph
