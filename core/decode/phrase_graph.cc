#include "decode/phrase_graph.hh"

#include <algorithm>
#include <cmath>
#include <memory>

#include "decode/edge_features.hh"
#include "engine/parallel.hh"
#include "graph/prune.hh"
#include "graph/viterbi.hh"

namespace tunesmith {
namespace {

constexpr std::uint32_t kStart = 0;

// The part of a search graph from which the goal is reached, and its shape alone as a hypergraph.
struct Shape {
  std::vector<std::uint32_t> edges;  // of the search graph, in the order of the hypergraph's
  std::vector<double> scores;        // of each edge alone
  Hypergraph graph;                  // without words and features
};

Shape shape_of(const SearchGraph& search) {
  Shape shape;
  constexpr std::uint32_t kUnreached = kNone, kReached = kNone - 1;
  std::vector<std::uint32_t> number(search.goal + 1, kUnreached);
  number[search.goal] = kReached;
  for (std::uint32_t s = search.goal + 1; s-- > kStart + 1;) {
    if (number[s] == kUnreached) continue;
    for (std::uint32_t e = search.states[s].edges; e != kNone; e = search.edges[e].next)
      number[search.edges[e].tail] = kReached;
  }
  for (std::uint32_t s = kStart + 1; s <= search.goal; ++s) {
    if (number[s] == kUnreached) continue;
    const std::size_t first = shape.edges.size();
    for (std::uint32_t e = search.states[s].edges; e != kNone; e = search.edges[e].next)
      shape.edges.push_back(e);
    // The list has the edge of the last pop first.
    std::reverse(shape.edges.begin() + static_cast<std::ptrdiff_t>(first), shape.edges.end());
    for (std::size_t i = first; i < shape.edges.size(); ++i) {
      const SearchEdge& edge = search.edges[shape.edges[i]];
      if (edge.tail != kStart) shape.graph.tails.push_back(number[edge.tail]);
      shape.graph.close_edge();
      shape.scores.push_back(static_cast<double>(edge.score) - search.states[edge.tail].score);
    }
    number[s] = shape.graph.close_node();
  }
  return shape;
}

std::size_t target_words(const SearchGraph& search, const Shape& shape) {
  const GraphView view = shape.graph.view();
  const BestInside inside = best_inside(view, shape.scores);
  std::size_t words = 0;
  for (const std::uint32_t e : best_derivation(view, inside, view.goal()))
    words += static_cast<std::size_t>(search.edges[shape.edges[e]].rule->target_size);
  return words;
}

class Exporter {
 public:
  Exporter(const PhraseModel& model, const SearchGraph& search) : model_(model), search_(search) {}

  // The kept edges of `shape` with words and features; `keep` empty means all.
  Hypergraph run(const Shape& shape, const std::vector<std::uint8_t>& keep, StringIndex& words) {
    Hypergraph out;
    const GraphView view = shape.graph.view();
    std::vector<std::uint32_t> number(view.nodes(), 0);
    std::vector<double> features(model_.features());
    for (std::uint32_t node = 0; node < view.nodes(); ++node) {
      bool any = false;
      for (std::uint32_t e = view.first_edge(node); e < view.end_edge(node); ++e) {
        if (!keep.empty() && keep[e] == 0) continue;
        any = true;
        for (const std::uint32_t tail : view.tails_of(e)) out.tails.push_back(number[tail]);
        add_edge(shape.edges[e], features, words, out);
      }
      if (any) number[node] = out.close_node();
    }
    return out;
  }

 private:
  void add_edge(std::uint32_t index, std::vector<double>& features, StringIndex& words,
                Hypergraph& out) {
    const SearchEdge& edge = search_.edges[index];
    if (edge.tail != kStart) out.words.push_back(tail_slot(0));
    texts_.clear();
    append_words(model_, *edge.rule, texts_);
    for (const std::string_view text : texts_)
      out.words.push_back(static_cast<std::int32_t>(words.add(text)));
    std::fill(features.begin(), features.end(), 0.0);
    sparse_.clear();
    add_edge_features(model_, search_, index, features.data(), sparse_);
    sparse_.sum_up();
    for (std::uint32_t i = 0; i < features.size(); ++i) {
      if (features[i] == 0.0) continue;
      out.feature_ids.push_back(i);
      out.feature_values.push_back(static_cast<float>(features[i]));
    }
    // A weight vector has the sparse features behind the dense ones.
    for (std::size_t i = 0; i < sparse_.size(); ++i) {
      out.feature_ids.push_back(static_cast<std::uint32_t>(model_.features()) + sparse_.ids[i]);
      out.feature_values.push_back(sparse_.values[i]);
    }
    out.close_edge(edge.begin, edge.end);
  }

  const PhraseModel& model_;
  const SearchGraph& search_;
  std::vector<std::string_view> texts_;
  SparseVector sparse_;
};

struct SentenceGraph {
  Hypergraph graph;
  StringIndex words;
};

SentenceGraph graph_of(const PhraseModel& model, const SearchGraph& search,
                       const GraphOptions& options, std::size_t sentence) {
  SentenceGraph out;
  if (search.goal == kNone) return out;
  if (search.goal == kStart) {  // no words to translate
    out.graph.close_edge();
    out.graph.close_node();
    return out;
  }
  const Shape shape = shape_of(search);
  std::vector<std::uint8_t> keep;
  if (options.density > 0.0) {
    const std::size_t words = options.word_counts.empty()
                                  ? target_words(search, shape)
                                  : static_cast<std::size_t>(options.word_counts[sentence]);
    const double most =
        std::ceil(options.density * static_cast<double>(std::max<std::size_t>(words, 1)));
    if (most < static_cast<double>(shape.edges.size())) {
      const GraphView view = shape.graph.view();
      PruneLimits limits;
      limits.max_edges = static_cast<std::size_t>(most);
      keep = choose_edges(view, shape.scores, max_marginals(view, shape.scores), limits);
    }
  }
  out.graph = Exporter(model, search).run(shape, keep, out.words);
  return out;
}

void check(const GraphOptions& options, std::size_t sentences) {
  if (!std::isfinite(options.density) || options.density < 0.0)
    throw OptionError("density is " + std::to_string(options.density) +
                      ", expected a number above 0");
  if (options.word_counts.empty()) return;
  if (options.word_counts.size() != sentences)
    throw OptionError(std::to_string(options.word_counts.size()) + " word counts for " +
                      std::to_string(sentences) + " sentences");
  for (const std::int64_t count : options.word_counts)
    if (count < 0) throw OptionError("a word count is below 0");
}

}  // namespace

GraphPoolData phrase_graphs(const PhraseModel& model, const std::vector<SourceSentence>& sentences,
                            std::span<const double> weights, const SearchOptions& search,
                            const GraphOptions& options, int threads) {
  check(options, sentences.size());
  std::vector<SentenceGraph> graphs(sentences.size());
  search_phrases(model, sentences, weights, search, threads,
                 [&](std::size_t s, const SearchGraph& graph) {
                   graphs[s] = graph_of(model, graph, options, s);
                 });
  GraphPoolData pool;
  for (SentenceGraph& sentence : graphs) {
    pool.append(sentence.graph.view(), sentence.words);
    sentence = {};
  }
  return pool;
}

}  // namespace tunesmith
