#include "decode/chart/chart_decoder.hh"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hh"
#include "decode/chart/chart_names.hh"
#include "graph/derivation.hh"
#include "graph/kbest.hh"
#include "graph/prune.hh"
#include "graph/viterbi.hh"

namespace tunesmith::decode {
namespace {

std::vector<double> edge_scores(const graph::GraphView& view, std::span<const double> weights) {
  std::vector<double> scores(view.edges());
  for (std::uint32_t e = 0; e < scores.size(); ++e) scores[e] = view.score(e, weights.data());
  return scores;
}

// The rules of a derivation with their places in the target, each behind those in its gaps; glue
// rules are no steps.
class StepFinder {
 public:
  StepFinder(const ChartGraph& found, std::span<const std::uint32_t> edges) : found_(found) {
    const graph::GraphView view = found.graph.view();
    std::vector<std::uint32_t> waiting;
    for (const std::uint32_t edge : edges) {
      Node node{edge, {}, 0};
      const std::size_t tails = view.tails_of(edge).size();
      node.tails.assign(waiting.end() - static_cast<std::ptrdiff_t>(tails), waiting.end());
      waiting.resize(waiting.size() - tails);
      for (const std::int32_t symbol : view.words_of(edge))
        node.length +=
            graph::is_tail_slot(symbol) ? nodes_[node.tails[graph::slot_tail(symbol)]].length : 1;
      waiting.push_back(static_cast<std::uint32_t>(nodes_.size()));
      nodes_.push_back(std::move(node));
    }
  }

  std::vector<DerivationStep> steps() {
    if (!nodes_.empty()) visit(nodes_.back(), 0);
    return std::move(steps_);
  }

  // The arcs of a lattice that the rules have read, from left to right.
  std::vector<std::uint32_t> path(const SourceSentence& lattice) const {
    std::vector<std::uint32_t> arcs;
    for (const Node& node : nodes_)
      for (std::uint64_t i = found_.arc_offsets[node.edge]; i < found_.arc_offsets[node.edge + 1];
           ++i)
        arcs.push_back(found_.arcs[i]);
    std::ranges::sort(arcs, {}, [&](std::uint32_t arc) { return lattice.arcs[arc].begin; });
    return arcs;
  }

 private:
  struct Node {
    std::uint32_t edge;
    std::vector<std::uint32_t> tails;
    std::int32_t length;
  };

  void visit(const Node& node, std::int32_t begin) {
    const graph::GraphView view = found_.graph.view();
    std::int32_t at = begin;
    for (const std::int32_t symbol : view.words_of(node.edge)) {
      if (graph::is_tail_slot(symbol)) {
        const Node& tail = nodes_[node.tails[graph::slot_tail(symbol)]];
        visit(tail, at);
        at += tail.length;
      } else {
        ++at;
      }
    }
    const std::int32_t rule = found_.rules[node.edge];
    if (rule == kFirstGlue || rule == kGlue || rule == kGoal) return;
    DerivationStep step;
    step.begin = view.source_spans[2 * node.edge];
    step.end = view.source_spans[2 * node.edge + 1];
    step.target_begin = begin;
    step.target_end = at;
    step.rule = rule < 0 ? -1 : rule;
    steps_.push_back(step);
  }

  const ChartGraph& found_;
  std::vector<Node> nodes_;
  std::vector<DerivationStep> steps_;
};

// Gives steps between nodes of a lattice the places of words on the way that was taken.
void follow_path(const SourceSentence& lattice, Translation& found) {
  std::vector<std::int32_t> place(lattice_nodes(lattice), 0);
  for (std::size_t i = 0; i < found.path.size(); ++i)
    place[lattice.arcs[found.path[i]].end] = static_cast<std::int32_t>(i) + 1;
  for (DerivationStep& step : found.steps) {
    step.begin = place[step.begin];
    step.end = place[step.end];
  }
}

// The weights of all features of a graph.
std::vector<double> graph_weights(const ChartSession& session, const ChartGraph& found) {
  std::vector<double> weights(session.weights().begin(), session.weights().end());
  weights.reserve(weights.size() + found.sparse.size());
  for (const GraphFeature& feature : found.sparse)
    weights.push_back(session.sparse_weights().of(feature.key));
  return weights;
}

// `weights` are those of all features of the graph, the first `dense` of them dense ones.
Translation translation_of(const ChartGraph& found, const SourceSentence& sentence,
                           const std::vector<std::uint32_t>& edges, std::span<const double> weights,
                           std::uint32_t dense) {
  const graph::GraphView view = found.graph.view();
  Translation out;
  for (const std::int32_t word : graph::derivation_words(view, edges)) {
    if (!out.text.empty()) out.text += ' ';
    out.text += found.words.text(static_cast<std::uint32_t>(word));
  }
  out.features.dense.assign(dense, 0.0);
  for (const std::uint32_t edge : edges) {
    const auto ids = view.ids_of(edge);
    const auto values = view.values_of(edge);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (ids[i] < dense)
        out.features.dense[ids[i]] += values[i];
      else
        out.features.sparse.add(ids[i] - dense, values[i]);
    }
  }
  out.features.sparse.sum_up();
  out.score = out.features.dot(weights);
  StepFinder finder(found, edges);
  out.steps = finder.steps();
  if (!sentence.arcs.empty()) {
    out.path = finder.path(sentence);
    follow_path(sentence, out);
  }
  return out;
}

ChartGraph pruned(ChartGraph&& found, std::span<const double> scores, std::size_t sentence,
                  const GraphOptions& options) {
  if (options.density == 0.0) return std::move(found);
  const graph::GraphView view = found.graph.view();
  std::size_t words = 0;
  if (options.word_counts.empty()) {
    const graph::BestInside inside = graph::best_inside(view, scores);
    words = graph::derivation_words(view, graph::best_derivation(view, inside, view.goal())).size();
  } else {
    words = static_cast<std::size_t>(options.word_counts[sentence]);
  }
  const auto keep = dense_edges(view, scores, options.density, words);
  if (!keep.empty()) found.graph = graph::kept_part(view, keep);
  return std::move(found);
}

void check_scores(const std::vector<SourceSentence>& sentences, int wanted) {
  for (std::size_t s = 0; s < sentences.size(); ++s)
    for (const LatticeArc& arc : sentences[s].arcs)
      if (arc.scores.size() != static_cast<std::size_t>(wanted))
        throw OptionError("sentence " + std::to_string(s + 1) + ": an arc with " +
                          std::to_string(arc.scores.size()) + " scores, expected " +
                          std::to_string(wanted));
}

}  // namespace

ChartOutput decode_chart(const ChartSession& session, const std::vector<SourceSentence>& sentences,
                         const LoadedGrammars& grammars, const KBestOptions& kbest,
                         const GraphOptions* graphs, int threads,
                         const std::vector<std::vector<std::string>>& targets) {
  if (graphs != nullptr) check_graph_options(*graphs, sentences.size());
  check_sentences(sentences, kMostChartWords);
  check_scores(sentences, session.model().arc_features());
  ChartOutput out;
  out.sentences.resize(sentences.size());
  std::vector<ChartGraph> kept(graphs == nullptr ? 0 : sentences.size());
  std::vector<UsedFeatures> used(sentences.size()), used_in_graphs(kept.size());
  const auto dense = static_cast<std::uint32_t>(session.weights().size());
  const auto take = [&](std::size_t s, ChartSession::Searched&& searched) {
    SentenceResult& result = out.sentences[s];
    const graph::GraphView view = searched.graph.graph.view();
    result.pops = searched.pops;
    result.states = searched.items;
    result.edges = view.edges();
    result.timed_out = searched.timed_out;
    result.glued = searched.glued;
    if (view.empty()) return;
    const std::vector<double> weights = graph_weights(session, searched.graph);
    const std::vector<double> scores = edge_scores(view, weights);
    const graph::WordYields yields(view);
    graph::KBest list(view, scores, kbest.distinct && kbest.size > 1 ? &yields : nullptr);
    std::vector<std::uint32_t> edges;
    for (int k = 0; k < kbest.size && list.derivation(k, edges); ++k)
      result.translations.push_back(
          translation_of(searched.graph, sentences[s], edges, weights, dense));
    const features::GrammarFeatures* sparse = grammars.of(s).sparse;
    if (sparse != nullptr) used[s] = used_features(result.translations, searched.graph, *sparse);
    if (graphs == nullptr) return;
    kept[s] = pruned(std::move(searched.graph), scores, s, *graphs);
    if (sparse != nullptr)
      used_in_graphs[s] = used_features(kept[s].graph, dense, kept[s], *sparse);
  };
  if (targets.empty())
    session.search(sentences, grammars, graphs == nullptr ? &kbest : nullptr, threads, take);
  else
    session.force(sentences, targets, grammars, threads, take);
  for (std::size_t s = 0; s < sentences.size(); ++s)
    rename(out.sentences[s].translations, used[s], out.names);
  for (std::size_t s = 0; s < kept.size(); ++s) {
    rename(kept[s].graph, dense, used_in_graphs[s], out.graph_names);
    out.graphs.append(kept[s].graph.view(), kept[s].words);
  }
  return out;
}

}  // namespace tunesmith::decode
