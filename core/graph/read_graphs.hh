// Graphs of other systems from text: Moses' search graphs, cdec's forests, lattices in PLF.
//
// A reader is given lines; what they say is refused by InputError with file and line.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_index.hh"
#include "formats/nbest.hh"
#include "graph/assemble.hh"
#include "graph/graph_pool.hh"

namespace tunesmith::graph {

class GraphReader {
 public:
  explicit GraphReader(std::string path) : path_(std::move(path)) {}
  virtual ~GraphReader() = default;

  // Text in blocks of any size, then the end.
  void feed(std::string_view block);
  void finish();

  GraphPoolData& pool() { return pool_; }
  const StringIndex& features() const { return features_; }

 protected:
  // A line without its end, of valid UTF-8. Both throw BadLine or InputError.
  virtual void line(std::string_view text) = 0;
  virtual void end() {}

  std::uint64_t number() const { return number_; }
  // Adds a feature to the edge that the assembler is at; throws BadLine if it is not finite.
  void set_feature(std::string_view name, double value);
  // Closes the edge: sorts its features, refuses one that is there twice.
  void close_edge(std::uint32_t head, std::span<const std::uint32_t> tails, std::int32_t begin,
                  std::int32_t end);
  void push_word(std::string_view word);
  // The sentence's graph is complete; `noun` names nodes in messages.
  void close_sentence(std::uint32_t goal, const char* noun);
  void close_empty_sentence();
  GraphAssembler assembler_;

 private:
  void whole_line(std::string_view text);
  [[noreturn]] void refuse(std::uint64_t line, const formats::BadLine& bad) const;

  std::string path_, rest_;
  std::uint64_t number_ = 0;  // of the current line, from 1
  GraphPoolData pool_;
  StringIndex features_;
  std::vector<std::pair<std::uint32_t, float>> edge_features_;
};

struct GraphReadOptions {
  // Names for features that a format gives by place: Moses' core scores, the numbers of PLF.
  std::vector<std::string> names;
};

// `format` is one of graph_formats(); throws OptionError otherwise.
std::unique_ptr<GraphReader> make_graph_reader(std::string_view format, std::string path,
                                               const GraphReadOptions& options);
const std::vector<std::string>& graph_formats();

// The name of the i-th feature that is given by place: one of `names`, or `fallback` and i.
std::string placed_name(const std::vector<std::string>& names, std::string_view fallback,
                        std::size_t i);

}  // namespace tunesmith::graph
