#include "graph/ngram_graph.hh"

#include <algorithm>
#include <map>

#include "base/error.hh"
#include "graph/inside_outside.hh"

namespace tunesmith::graph {
namespace {

using Words = std::vector<std::int32_t>;

// What the outside can see of a derivation's words. A side of fewer than order − 1 words is all
// of them; a side that is never looked at is left empty.
struct Sides {
  Words first, last;
  auto operator<=>(const Sides&) const = default;
};

// Which sides of each node are ever looked at.
struct Visible {
  std::vector<std::uint8_t> left, right;

  explicit Visible(const GraphView& graph) : left(graph.nodes(), 0), right(graph.nodes(), 0) {
    for (std::uint32_t node = graph.nodes(); node-- > 0;)
      for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
        const auto symbols = graph.words_of(e);
        for (std::size_t i = 0; i < symbols.size(); ++i) {
          if (!is_tail_slot(symbols[i])) continue;
          const std::uint32_t tail = graph.tails_of(e)[slot_tail(symbols[i])];
          if (i > 0 || left[node] != 0) left[tail] = 1;
          if (i + 1 < symbols.size() || right[node] != 0) right[tail] = 1;
        }
      }
  }
};

class Splitter {
 public:
  Splitter(const GraphView& graph, int order, std::size_t max_edges)
      : graph_(graph),
        seen_(static_cast<std::size_t>(order - 1)),
        max_edges_(max_edges),
        visible_(graph),
        first_variant_(graph.nodes()),
        variants_(graph.nodes()) {}

  NgramGraph run() {
    for (std::uint32_t node = 0; node < graph_.nodes(); ++node) split(node);
    return std::move(out_);
  }

 private:
  struct Made {
    std::uint32_t edge;
    std::vector<std::uint32_t> tails, ngrams;
  };

  void split(std::uint32_t node) {
    std::map<Sides, std::size_t> found;
    std::vector<std::vector<Made>> made;  // by variant
    for (std::uint32_t e = graph_.first_edge(node); e < graph_.end_edge(node); ++e) {
      const auto tails = graph_.tails_of(e);
      std::vector<std::size_t> choice(tails.size(), 0);
      while (true) {
        Made edge{e, {}, {}};
        std::vector<const Sides*> sides;
        for (std::size_t i = 0; i < tails.size(); ++i) {
          edge.tails.push_back(first_variant_[tails[i]] + static_cast<std::uint32_t>(choice[i]));
          sides.push_back(&variants_[tails[i]][choice[i]]);
        }
        const Sides own = join(node, e, sides, edge.ngrams);
        const auto [place, is_new] = found.try_emplace(own, made.size());
        if (is_new) {
          made.emplace_back();
          variants_[node].push_back(own);
        }
        made[place->second].push_back(std::move(edge));
        if (++edges_ > max_edges_)
          throw Error("more than " + std::to_string(max_edges_) +
                      " edges are needed to count n-grams; prune the graph first");
        std::size_t i = 0;
        while (i < tails.size() && ++choice[i] == variants_[tails[i]].size()) choice[i++] = 0;
        if (i == tails.size()) break;
      }
    }
    for (std::size_t v = 0; v < made.size(); ++v) {
      for (const Made& edge : made[v]) close(edge);
      const std::uint32_t number = out_.graph.close_node();
      if (v == 0) first_variant_[node] = number;
    }
  }

  void close(const Made& edge) {
    out_.graph.tails.insert(out_.graph.tails.end(), edge.tails.begin(), edge.tails.end());
    out_.graph.close_edge();
    out_.edges.push_back(edge.edge);
    out_.ngrams.insert(out_.ngrams.end(), edge.ngrams.begin(), edge.ngrams.end());
    out_.offsets.push_back(static_cast<std::int64_t>(out_.ngrams.size()));
  }

  // The n-grams that come about when the edge's parts are put together, and what is seen of the
  // whole.
  Sides join(std::uint32_t node, std::uint32_t e, const std::vector<const Sides*>& tails,
             std::vector<std::uint32_t>& ngrams) {
    Words first, before;  // before: the last words so far
    const auto add_first = [&](std::int32_t word) {
      if (first.size() < seen_) first.push_back(word);
    };
    const auto add_before = [&](std::int32_t word) {
      before.push_back(word);
      if (before.size() > seen_) before.erase(before.begin());
    };
    for (const std::int32_t symbol : graph_.words_of(e)) {
      if (!is_tail_slot(symbol)) {
        for (std::size_t begin = 0; begin <= before.size(); ++begin)
          ngrams.push_back(ngram(before, begin, &symbol, 1));
        add_first(symbol);
        add_before(symbol);
        continue;
      }
      const Sides& sides = *tails[slot_tail(symbol)];
      // N-grams that end inside the tail and begin before it.
      for (std::size_t end = 1; end <= sides.first.size(); ++end)
        for (std::size_t begin = 0; begin < before.size(); ++begin)
          if (before.size() - begin + end <= seen_ + 1)
            ngrams.push_back(ngram(before, begin, sides.first.data(), end));
      for (const std::int32_t word : sides.first) add_first(word);
      const bool whole = sides.first.size() < seen_ && !sides.first.empty();
      if (before.empty() || (!whole && !sides.last.empty())) {
        before = sides.last.empty() ? sides.first : sides.last;
      } else {
        for (const std::int32_t word : sides.first) add_before(word);
      }
    }
    Sides own;
    if (visible_.left[node] != 0) own.first = std::move(first);
    if (visible_.right[node] != 0) own.last = std::move(before);
    return own;
  }

  std::uint32_t ngram(const Words& before, std::size_t begin, const std::int32_t* words,
                      std::size_t count) {
    std::uint32_t id = NgramTable::kEmpty;
    for (std::size_t i = begin; i < before.size(); ++i) id = out_.table.add(id, before[i]);
    for (std::size_t i = 0; i < count; ++i) id = out_.table.add(id, words[i]);
    return id;
  }

  const GraphView& graph_;
  const std::size_t seen_;  // words of a side
  const std::size_t max_edges_;
  Visible visible_;
  std::vector<std::uint32_t> first_variant_;
  std::vector<std::vector<Sides>> variants_;
  std::size_t edges_ = 0;
  NgramGraph out_;
};

}  // namespace

std::uint32_t NgramTable::add(std::uint32_t shorter, std::int32_t word) {
  const auto [place, is_new] =
      ids_.try_emplace(key(shorter, word), static_cast<std::uint32_t>(lengths_.size()));
  if (is_new) {
    shorter_.push_back(shorter);
    last_.push_back(word);
    lengths_.push_back(static_cast<std::int8_t>(shorter == kEmpty ? 1 : lengths_[shorter] + 1));
  }
  return place->second;
}

std::uint32_t NgramTable::find(std::uint32_t shorter, std::int32_t word) const {
  const auto place = ids_.find(key(shorter, word));
  return place == ids_.end() ? kEmpty : place->second;
}

std::vector<std::int32_t> NgramTable::words(std::uint32_t id) const {
  std::vector<std::int32_t> words;
  for (; id != kEmpty; id = shorter_[id]) words.push_back(last_[id]);
  std::reverse(words.begin(), words.end());
  return words;
}

NgramGraph split_by_ngrams(const GraphView& graph, int order, std::size_t max_edges) {
  if (graph.empty()) return {};
  return Splitter(graph, order, max_edges).run();
}

std::vector<double> expected_ngrams(const NgramGraph& split, std::span<const double> scores) {
  std::vector<double> expected(split.table.size(), 0.0);
  const GraphView graph = split.graph.view();
  if (graph.empty()) return expected;
  std::vector<double> own(split.edges.size());
  for (std::size_t e = 0; e < own.size(); ++e) own[e] = scores[split.edges[e]];
  const std::vector<double> posteriors = edge_posteriors(graph, own, inside_outside(graph, own));
  for (std::uint32_t e = 0; e < own.size(); ++e)
    for (const std::uint32_t ngram : split.ngrams_of(e)) expected[ngram] += posteriors[e];
  return expected;
}

}  // namespace tunesmith::graph
