#include "graph/read_graphs.hh"

#include <algorithm>
#include <cmath>

#include "base/error.hh"
#include "base/utf8.hh"
#include "graph/graph_readers.hh"

namespace tunesmith::graph {

void GraphReader::feed(std::string_view block) {
  while (true) {
    const std::size_t end = block.find('\n');
    if (end == std::string_view::npos) break;
    if (rest_.empty()) {
      whole_line(block.substr(0, end));
    } else {
      rest_.append(block.substr(0, end));
      const std::string text = std::move(rest_);
      rest_.clear();
      whole_line(text);
    }
    block.remove_prefix(end + 1);
  }
  rest_.append(block);
}

void GraphReader::finish() {
  if (!rest_.empty()) whole_line(rest_);
  rest_.clear();
  try {
    end();
  } catch (const formats::BadLine& bad) {
    refuse(number_, bad);
  }
}

void GraphReader::whole_line(std::string_view text) {
  ++number_;
  if (text.ends_with('\r')) text.remove_suffix(1);
  try {
    const std::size_t bad = find_invalid_utf8(text);
    if (bad != std::string_view::npos)
      throw formats::BadLine{"invalid UTF-8 at byte " + std::to_string(bad + 1), "UTF-8", {}};
    line(text);
  } catch (const formats::BadLine& bad) {
    refuse(number_, bad);
  }
}

void GraphReader::refuse(std::uint64_t line, const formats::BadLine& bad) const {
  throw InputError(path_, line, bad.found, bad.expected, bad.remedy);
}

void GraphReader::set_feature(std::string_view name, double value) {
  const auto small = static_cast<float>(value);
  if (!std::isfinite(small))
    throw formats::BadLine{
        "feature " + quoted(name) + " is " + (std::isnan(value) ? "nan" : "infinite"),
        "a finite number",
        {}};
  edge_features_.emplace_back(features_.add(name), small);
}

void GraphReader::push_word(std::string_view word) {
  assembler_.edges().words.push_back(static_cast<std::int32_t>(pool_.vocabulary.add(word)));
}

void GraphReader::close_edge(std::uint32_t head, std::span<const std::uint32_t> tails,
                             std::int32_t begin, std::int32_t end) {
  std::sort(edge_features_.begin(), edge_features_.end());
  for (std::size_t i = 0; i < edge_features_.size(); ++i) {
    if (i > 0 && edge_features_[i].first == edge_features_[i - 1].first)
      throw formats::BadLine{
          "feature " + quoted(features_.text(edge_features_[i].first)) + " twice",
          "each feature once",
          {}};
    if (edge_features_[i].second == 0.0F) continue;
    assembler_.edges().feature_ids.push_back(edge_features_[i].first);
    assembler_.edges().feature_values.push_back(edge_features_[i].second);
  }
  edge_features_.clear();
  assembler_.add(head, tails, begin, end, number_);
}

void GraphReader::close_sentence(std::uint32_t goal, const char* noun) {
  try {
    pool_.append(assembler_.finish(goal).view());
  } catch (const BadGraph& bad) {
    const std::string name = std::string(noun) + " " + std::to_string(bad.node);
    if (bad.kind == BadGraph::Kind::kCycle)
      refuse(bad.place, {name + " is made from itself", "a graph without cycles", {}});
    refuse(bad.place,
           {name + " is a tail that no edge leads to", "a graph without such tails", {}});
  }
  assembler_.clear();
}

void GraphReader::close_empty_sentence() {
  pool_.append(GraphView{});
  assembler_.clear();
}

const std::vector<std::string>& graph_formats() {
  static const std::vector<std::string> formats{"moses", "cdec", "plf"};
  return formats;
}

std::unique_ptr<GraphReader> make_graph_reader(std::string_view format, std::string path,
                                               const GraphReadOptions& options) {
  if (format == "moses") return make_moses_graph_reader(std::move(path), options);
  if (format == "cdec") return make_cdec_graph_reader(std::move(path));
  if (format == "plf") return make_plf_reader(std::move(path), options);
  throw OptionError("graph format " + quoted(format) + ", expected moses, cdec or plf");
}

std::string placed_name(const std::vector<std::string>& names, std::string_view fallback,
                        std::size_t i) {
  return i < names.size() ? names[i] : std::string(fallback) + std::to_string(i);
}

}  // namespace tunesmith::graph
