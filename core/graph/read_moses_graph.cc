#include <limits>
#include <optional>
#include <unordered_map>

#include "base/error.hh"
#include "base/number.hh"
#include "graph/graph_readers.hh"

namespace tunesmith::graph {
namespace {

// Sentences without a line between two that have some.
constexpr std::uint64_t kMaxGap = 1'000'000;

constexpr std::string_view kFields =
    "sentence hyp=… stack=… back=… transition=… forward=… covered=… out=…";

std::string_view take_token(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
  const std::size_t end = std::min(text.find(' ', begin), text.size());
  const std::string_view token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return token;
}

double to_number(std::string_view text, std::string_view key) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  if (parse_number(text.data(), end, value) != end || text.empty())
    throw formats::BadLine{std::string(key) + "=" + std::string(text), "a number", {}};
  return value;
}

std::int64_t to_integer(std::string_view text, std::string_view key, std::int64_t lowest = 0) {
  const double value = to_number(text, key);
  const bool fits =
      value >= static_cast<double>(lowest) && value < std::numeric_limits<std::int32_t>::max();
  if (!fits || value != static_cast<double>(static_cast<std::int64_t>(value)))
    throw formats::BadLine{std::string(key) + "=" + std::string(text),
                           "a whole number from " + std::to_string(lowest) + " on",
                           {}};
  return static_cast<std::int64_t>(value);
}

class MosesGraphReader final : public GraphReader {
 public:
  MosesGraphReader(std::string path, GraphReadOptions options)
      : GraphReader(std::move(path)), options_(std::move(options)) {}

 private:
  // What a line may say; absent keys stay empty.
  struct Fields {
    std::optional<std::int64_t> hyp, back, recombined, forward;
    std::string_view transition, covered, scores, out;
    bool has_scores = false, has_out = false;
  };

  // The goal gets a number of its own: complete hypotheses may be several.
  static constexpr std::uint32_t kGoal = std::numeric_limits<std::uint32_t>::max();

  void line(std::string_view text) override {
    if (text.find_first_not_of(' ') == std::string_view::npos) return;
    const std::string_view id = take_token(text);
    begin_sentence(id);
    const Fields fields = split(text);
    if (!fields.hyp) throw formats::BadLine{"no hyp=", std::string(kFields), {}};
    if (*fields.hyp == 0) return;
    if (!fields.back || !fields.forward || !fields.has_out)
      throw formats::BadLine{!fields.back      ? "no back="
                             : !fields.forward ? "no forward="
                                               : "no out=",
                             std::string(kFields), "is the line cut off?"};
    add(fields);
  }

  void end() override {
    if (sentence_) close();
  }

  void begin_sentence(std::string_view id) {
    const std::int64_t number = to_integer(id, "sentence");
    if (sentence_ && number == *sentence_) return;
    const std::int64_t next = sentence_ ? *sentence_ + 1 : 0;
    if (number < next)
      throw formats::BadLine{
          "sentence " + std::to_string(number) + " after " + std::to_string(next - 1),
          "sentences in order",
          {}};
    if (static_cast<std::uint64_t>(number - next) > kMaxGap)
      throw formats::BadLine{
          "sentence " + std::to_string(number) + " after " + std::to_string(next - 1),
          "at most a million sentences left out",
          {}};
    if (sentence_) close();
    for (std::int64_t s = next; s < number; ++s) close_empty_sentence();
    sentence_ = number;
  }

  static Fields split(std::string_view text) {
    Fields fields;
    while (true) {
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
      if (text.empty()) return fields;
      if (text.starts_with("out=")) {
        fields.out = text.substr(4);
        fields.has_out = true;
        return fields;
      }
      if (text.starts_with("scores=\"")) {
        const std::size_t end = text.find("\" out=");
        if (end == std::string_view::npos)
          throw formats::BadLine{"scores=\" without an end", "scores=\"…\" out=\"…\"", {}};
        fields.scores = text.substr(8, end - 8);
        fields.has_scores = true;
        text.remove_prefix(end + 1);
        continue;
      }
      if (text.starts_with("[ ")) {  // the scores of older versions
        const std::size_t end = text.find(" ] ");
        if (end == std::string_view::npos)
          throw formats::BadLine{"'[' without an end", "[ scores ]", {}};
        fields.scores = text.substr(2, end - 2);
        fields.has_scores = true;
        text.remove_prefix(end + 3);
        continue;
      }
      const std::string_view token = take_token(text);
      const std::size_t equals = token.find('=');
      if (equals == std::string_view::npos)
        throw formats::BadLine{quoted(token), std::string(kFields), {}};
      const std::string_view key = token.substr(0, equals), value = token.substr(equals + 1);
      if (key == "hyp") fields.hyp = to_integer(value, key);
      if (key == "back") fields.back = to_integer(value, key);
      if (key == "recombined") fields.recombined = to_integer(value, key);
      if (key == "forward") fields.forward = to_integer(value, key, -1);
      if (key == "transition") fields.transition = value;
      if (key == "covered") fields.covered = value;
    }
  }

  void add(const Fields& fields) {
    const auto hyp = static_cast<std::uint32_t>(*fields.hyp);
    const std::uint32_t node =
        fields.recombined ? static_cast<std::uint32_t>(*fields.recombined) : hyp;
    if (!seen_.emplace(hyp, node).second)
      throw formats::BadLine{"hyp=" + std::to_string(hyp) + " again", "each hypothesis once", {}};
    // A complete hypothesis has no node of its own, all of them lead to the goal.
    const bool complete = *fields.forward == -1;
    has_goal_ = has_goal_ || complete;
    if (*fields.back != 0) assembler_.edges().words.push_back(tail_slot(0));
    push_words(fields.out);
    if (fields.has_scores) {
      add_scores(fields.scores);
    } else {
      set_feature("transition", to_number(fields.transition, "transition"));
    }
    std::int32_t begin = -1, end = -1;
    if (const std::size_t dash = fields.covered.find('-');
        dash != std::string_view::npos && !fields.covered.empty()) {
      begin = static_cast<std::int32_t>(to_integer(fields.covered.substr(0, dash), "covered"));
      end = static_cast<std::int32_t>(to_integer(fields.covered.substr(dash + 1), "covered")) + 1;
    }
    // A hypothesis that lost a recombination stands for the one that won.
    const auto back = static_cast<std::uint32_t>(*fields.back);
    const auto known = seen_.find(back);
    const std::uint32_t tail[1] = {known == seen_.end() ? back : known->second};
    close_edge(complete ? kGoal : node, std::span(tail, *fields.back == 0 ? 0 : 1), begin, end);
  }

  void push_words(std::string_view out) {
    if (out.size() >= 2 && out.front() == '"' && out.back() == '"') {
      out = out.substr(1, out.size() - 2);
      const std::size_t bar = out.find('|');
      if (bar == std::string_view::npos)
        throw formats::BadLine{"out=" + quoted(out), "out=\"source|words\"", {}};
      out.remove_prefix(bar + 1);
    } else if (const std::size_t costs = out.rfind(", pC="); costs != std::string_view::npos) {
      out = out.substr(0, costs);  // older versions go on with future costs
    }
    for (std::string_view word = take_token(out); !word.empty(); word = take_token(out))
      push_word(word);
  }

  // core=(v,v,…) name=v …, or name: v v … of older versions.
  void add_scores(std::string_view text) {
    std::string_view token = take_token(text);
    while (!token.empty()) {
      if (token.starts_with("core=(")) {
        if (token.back() != ')') throw formats::BadLine{quoted(token), "core=(number,…)", {}};
        add_core(token.substr(6, token.size() - 7));
        token = take_token(text);
        continue;
      }
      if (token.back() == ':' || token.back() == '=') {
        const std::string_view name = token.substr(0, token.size() - 1);
        std::vector<double> values;
        for (token = take_token(text);
             !token.empty() && token.back() != ':' && token.find('=') == std::string_view::npos;
             token = take_token(text))
          values.push_back(to_number(token, name));
        for (std::size_t i = 0; i < values.size(); ++i)
          set_feature(
              values.size() == 1 ? std::string(name) : std::string(name) + "_" + std::to_string(i),
              values[i]);
        continue;
      }
      const std::size_t equals = token.rfind('=');
      if (equals == std::string_view::npos || equals == 0)
        throw formats::BadLine{quoted(token) + " among the scores", "name=number", {}};
      set_feature(token.substr(0, equals), to_number(token.substr(equals + 1), "score"));
      token = take_token(text);
    }
  }

  void add_core(std::string_view text) {
    std::size_t i = 0;
    while (!text.empty()) {
      const std::size_t comma = std::min(text.find(','), text.size());
      set_feature(placed_name(options_.names, "core_", i++),
                  to_number(text.substr(0, comma), "core"));
      text.remove_prefix(std::min(comma + 1, text.size()));
    }
    if (!options_.names.empty() && i != options_.names.size())
      throw formats::BadLine{std::to_string(i) + " core scores",
                             std::to_string(options_.names.size()) + ", as many as there are names",
                             {}};
  }

  void close() {
    seen_.clear();
    if (has_goal_)
      close_sentence(kGoal, "hypothesis");
    else
      close_empty_sentence();
    has_goal_ = false;
  }

  GraphReadOptions options_;
  std::optional<std::int64_t> sentence_;
  std::unordered_map<std::uint32_t, std::uint32_t> seen_;  // hypothesis → node
  bool has_goal_ = false;
};

}  // namespace

std::unique_ptr<GraphReader> make_moses_graph_reader(std::string path,
                                                     const GraphReadOptions& options) {
  return std::make_unique<MosesGraphReader>(std::move(path), options);
}

}  // namespace tunesmith::graph
