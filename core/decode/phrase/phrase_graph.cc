#include "decode/phrase/phrase_graph.hh"

#include <algorithm>

#include "decode/phrase/edge_features.hh"
#include "decode/phrase/search_shape.hh"
#include "graph/viterbi.hh"

namespace tunesmith::decode {
namespace {

std::size_t target_words(const SearchGraph& search, const SearchShape& shape) {
  const graph::GraphView view = shape.graph.view();
  const graph::BestInside inside = graph::best_inside(view, shape.scores);
  std::size_t words = 0;
  for (const std::uint32_t e : graph::best_derivation(view, inside, view.goal()))
    words += static_cast<std::size_t>(search.edges[shape.edges[e]].rule->target_size);
  return words;
}

class Exporter {
 public:
  Exporter(const PhraseModel& model, const SearchGraph& search) : model_(model), search_(search) {}

  // The kept edges of `shape` with words and features; `keep` empty means all.
  graph::Hypergraph run(const SearchShape& shape, const std::vector<std::uint8_t>& keep,
                        StringIndex& words) {
    graph::Hypergraph out;
    const graph::GraphView view = shape.graph.view();
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
                graph::Hypergraph& out) {
    const SearchEdge& edge = search_.edges[index];
    if (edge.tail != kStartState) out.words.push_back(graph::tail_slot(0));
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

}  // namespace

GraphCollector::GraphCollector(const PhraseModel& model, GraphOptions options,
                               std::size_t sentences)
    : model_(model), options_(std::move(options)), graphs_(sentences) {
  check_graph_options(options_, sentences);
}

void GraphCollector::take(std::size_t sentence, const SearchGraph& search) {
  SentenceGraph& out = graphs_[sentence];
  if (search.goal == kNone) return;
  if (search.goal == kStartState) {  // no words to translate
    out.graph.close_edge();
    out.graph.close_node();
    return;
  }
  const SearchShape shape(search);
  std::vector<std::uint8_t> keep;
  if (options_.density > 0.0) {
    const std::size_t words = options_.word_counts.empty()
                                  ? target_words(search, shape)
                                  : static_cast<std::size_t>(options_.word_counts[sentence]);
    keep = dense_edges(shape.graph.view(), shape.scores, options_.density, words);
  }
  out.graph = Exporter(model_, search).run(shape, keep, out.words);
}

graph::GraphPoolData GraphCollector::finish() {
  graph::GraphPoolData pool;
  for (SentenceGraph& sentence : graphs_) {
    pool.append(sentence.graph.view(), sentence.words);
    sentence = {};
  }
  return pool;
}

graph::GraphPoolData phrase_graphs(PhraseSession& session,
                                   const std::vector<SourceSentence>& sentences,
                                   const GraphOptions& options, int threads) {
  GraphCollector graphs(session.model(), options, sentences.size());
  session.search(sentences, threads,
                 [&](std::size_t s, const SearchGraph& graph) { graphs.take(s, graph); });
  return graphs.finish();
}

}  // namespace tunesmith::decode
