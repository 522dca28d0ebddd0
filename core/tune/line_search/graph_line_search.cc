#include "tune/line_search/graph_line_search.hh"

#include <algorithm>

#include "base/hash.hh"
#include "engine/parallel.hh"
#include "graph/graph_stats.hh"
#include "graph/viterbi.hh"

namespace tunesmith::tune {

GraphLineSearch::GraphLineSearch(const graph::GraphPoolView& pool, const StringIndex& vocabulary,
                                 const metrics::SegmentScorer& scorer, const metrics::Gain& gain,
                                 std::span<const double> scale, int threads)
    : pool_(pool),
      vocabulary_(vocabulary),
      scorer_(scorer),
      gain_(gain),
      threads_(threads),
      size_((gain.size() + 3) / 4 * 4),
      scale_(scale.begin(), scale.end()),
      weights_(pool.features, 0.0),
      raw_(pool.features, 0.0),
      slopes_(pool.edges()),
      scores_(pool.edges()),
      found_(pool.sentences()),
      sums_(size_),
      sweep_(gain) {
  std::size_t edges = 0;
  for (std::int64_t s = 0; s < pool.sentences(); ++s) {
    graphs_.push_back(pool.sentence(s));
    first_edges_.push_back(edges);
    edges += graphs_.back().empty() ? 0 : graphs_.back().edges();
  }
  first_edges_.push_back(edges);
}

void GraphLineSearch::start(const double* weights) {
  weights_.assign(weights, weights + pool_.features);
  settle();
}

void GraphLineSearch::move(int feature, double step) {
  weights_[feature] += step;
  settle();
}

void GraphLineSearch::move(const double* direction, double step) {
  for (std::size_t f = 0; f < weights_.size(); ++f) weights_[f] += step * direction[f];
  settle();
}

void GraphLineSearch::settle() {
  for (std::size_t f = 0; f < raw_.size(); ++f) raw_[f] = weights_[f] / scale_[f];
  engine::parallel_for(
      graphs_.size(), threads_,
      [&](std::size_t s) {
        const graph::GraphView& graph = graphs_[s];
        if (graph.empty()) return;
        const std::span<double> scores(scores_.data() + first_edges_[s], graph.edges());
        for (std::uint32_t e = 0; e < graph.edges(); ++e) scores[e] = graph.score(e, raw_.data());
        const graph::BestInside inside = graph::best_inside(graph, scores);
        found_[s].winner = number_of(s, graph::best_derivation(graph, inside, graph.goal()));
      },
      4);
  add_kinds();
  std::fill(sums_.begin(), sums_.end(), 0.0);
  for (const Sentence& sentence : found_) {
    if (sentence.kinds.empty()) continue;
    const std::size_t kind = sentence.kinds[sentence.winner];
    for (int k = 0; k < size_; ++k) sums_[k] += kind_stats_[kind * size_ + k];
  }
  gain_here_ = gain_(sums_.data());
}

const std::vector<Interval>& GraphLineSearch::along(int feature, Range range) {
  const auto wanted = static_cast<std::uint32_t>(feature);
  engine::parallel_for(
      graphs_.size(), threads_,
      [&](std::size_t s) {
        const graph::GraphView& graph = graphs_[s];
        if (graph.empty()) return;
        for (std::uint32_t e = 0; e < graph.edges(); ++e) {
          const auto ids = graph.ids_of(e);
          const auto place = std::lower_bound(ids.begin(), ids.end(), wanted);
          slopes_[first_edges_[s] + e] =
              place != ids.end() && *place == wanted
                  ? graph.values_of(e)[place - ids.begin()] / scale_[wanted]
                  : 0.0;
        }
      },
      4);
  return look(range);
}

const std::vector<Interval>& GraphLineSearch::along(const double* direction, Range range) {
  for (std::size_t f = 0; f < raw_.size(); ++f) raw_[f] = direction[f] / scale_[f];
  engine::parallel_for(
      graphs_.size(), threads_,
      [&](std::size_t s) {
        const graph::GraphView& graph = graphs_[s];
        if (graph.empty()) return;
        for (std::uint32_t e = 0; e < graph.edges(); ++e)
          slopes_[first_edges_[s] + e] = graph.score(e, raw_.data());
      },
      4);
  return look(range);
}

const std::vector<Interval>& GraphLineSearch::look(Range range) {
  std::vector<graph::GraphEnvelope> envelopes(engine::resolve_threads(threads_));
  engine::parallel_for_worker(graphs_.size(), threads_, [&](std::size_t s, int worker) {
    const graph::GraphView& graph = graphs_[s];
    if (graph.empty()) return;
    const std::size_t first = first_edges_[s], size = graph.edges();
    envelopes[worker].find(graph, std::span(scores_).subspan(first, size),
                           std::span(slopes_).subspan(first, size));
    find_changes(s, envelopes[worker], range);
  });
  add_kinds();
  left_.clear();
  right_.clear();
  for (const Sentence& sentence : found_) {
    const auto add = [&](const std::vector<Change>& changes, std::vector<Change>& target) {
      for (const Change& change : changes) {
        const std::uint32_t from = sentence.kinds[change.from], to = sentence.kinds[change.to];
        if (from != to) target.push_back({change.at, from, to});
      }
    };
    add(sentence.left, left_);
    add(sentence.right, right_);
  }
  return sweep_.run(left_, right_, sums_, gain_here_, {kind_stats_.data(), size_}, range);
}

std::uint32_t GraphLineSearch::number_of(std::size_t s, const std::vector<std::uint32_t>& edges) {
  Sentence& sentence = found_[s];
  std::uint64_t key = edges.size();
  for (const std::uint32_t e : edges) key = hash_combine(key, e);
  const auto [place, is_new] =
      sentence.known.try_emplace(key, static_cast<std::uint32_t>(sentence.derivations.size()));
  if (is_new) {
    sentence.derivations.push_back(edges);
    const std::size_t begin = sentence.stats.size();
    sentence.stats.resize(begin + static_cast<std::size_t>(gain_.size()));
    scorer_.stats(static_cast<std::uint32_t>(s),
                  graph::derivation_text(graphs_[s], edges, vocabulary_),
                  sentence.stats.data() + begin);
  }
  return place->second;
}

void GraphLineSearch::find_changes(std::size_t s, const graph::GraphEnvelope& envelope,
                                   Range range) {
  Sentence& sentence = found_[s];
  sentence.left.clear();
  sentence.right.clear();
  const auto lines = envelope.lines();
  constexpr std::uint32_t kUnknown = 0xFFFFFFFF;
  std::vector<std::uint32_t> numbers(lines.size(), kUnknown), edges;
  const auto number = [&](std::size_t i) {  // of lines within the range only
    if (numbers[i] == kUnknown) {
      envelope.derivation(i, edges);
      numbers[i] = number_of(s, edges);
    }
    return numbers[i];
  };
  // Where line i gives way to the next.
  const auto crossing = [&](std::size_t i) {
    return (lines[i].intercept - lines[i + 1].intercept) / (lines[i + 1].slope - lines[i].slope);
  };
  const std::size_t last = lines.size() - 1;
  // From the winner at 0, which rounding may have chosen among equals, to the line next to it.
  std::size_t right = 0;
  while (right < last && crossing(right) <= 0.0) ++right;
  std::size_t left = right;
  while (left > 0 && crossing(left - 1) >= 0.0) --left;
  const auto add = [](std::vector<Change>& changes, double at, std::uint32_t from,
                      std::uint32_t to) {
    if (from != to) changes.push_back({at, from, to});
  };
  if (range.high > 0.0) {
    add(sentence.right, 0.0, sentence.winner, number(right));
    for (std::size_t i = right; i < last && crossing(i) <= range.high; ++i)
      add(sentence.right, crossing(i), number(i), number(i + 1));
  }
  if (range.low < 0.0) {
    add(sentence.left, 0.0, sentence.winner, number(left));
    for (std::size_t i = left; i > 0 && crossing(i - 1) >= range.low; --i)
      add(sentence.left, crossing(i - 1), number(i), number(i - 1));
  }
}

void GraphLineSearch::add_kinds() {
  const auto size = static_cast<std::size_t>(gain_.size());
  for (Sentence& sentence : found_) {
    for (std::size_t d = sentence.kinds.size(); d < sentence.derivations.size(); ++d) {
      const std::int32_t* stats = sentence.stats.data() + d * size;
      const auto next = static_cast<std::uint32_t>(kind_stats_.size() / size_);
      std::uint64_t key = 0;
      for (std::size_t k = 0; k < size; ++k)
        key = hash_combine(key, static_cast<std::uint64_t>(stats[k]));
      const std::uint32_t kind = sentence.kind_of.try_emplace(key, next).first->second;
      sentence.kinds.push_back(kind);
      if (kind != next) continue;
      kind_stats_.insert(kind_stats_.end(), stats, stats + size);
      kind_stats_.resize((next + std::size_t{1}) * size_, 0);
    }
  }
}

}  // namespace tunesmith::tune
