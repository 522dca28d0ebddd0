#include "graph/bleu_search.hh"

#include <algorithm>
#include <bit>

namespace tunesmith {

namespace {

bool test(const std::uint64_t* bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64)) & 1; }

void set_bit(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

// How many of the bits [first, first + count) are set, the lowest of which are.
int used(const std::uint64_t* bits, std::uint32_t first, int count) {
  int n = 0;
  while (n < count && test(bits, first + static_cast<std::uint32_t>(n))) ++n;
  return n;
}

template <typename Visit>
void for_each_bit(const std::uint64_t* bits, std::size_t words, const Visit& visit) {
  for (std::size_t w = 0; w < words; ++w)
    for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
      visit(static_cast<std::uint32_t>(64 * w) +
            static_cast<std::uint32_t>(std::countr_zero(left)));
}

}  // namespace

void BleuSearch::run(const GraphView& graph, const BleuGraph& bleu, std::span<const double> scores,
                     const LinearBleu& gain) {
  graph_ = &graph;
  bleu_ = &bleu;
  gain_ = &gain;
  scores_ = scores;
  words_ = (bleu.ngrams().bits() + 63) / 64;
  items_.clear();
  item_tails_.clear();
  bits_.clear();
  node_items_.assign(1, 0);
  scratch_.assign(words_, 0);
  // Best first; of equals the one that was found first, which has the earlier place of tails.
  const auto worse = [](const Candidate& a, const Candidate& b) {
    if (a.total != b.total) return a.total < b.total;
    return a.edge != b.edge ? a.edge > b.edge : a.tails > b.tails;
  };
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    candidates_.clear();
    candidate_tails_.clear();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) candidates_of(e);
    const std::size_t first = items_.size();
    const std::size_t limit = beam_ > 0 ? static_cast<std::size_t>(beam_) : candidates_.size();
    if (candidates_.size() <= limit) {
      std::sort(candidates_.begin(), candidates_.end(),
                [&](const Candidate& a, const Candidate& b) { return worse(b, a); });
      for (const Candidate& candidate : candidates_) keep(candidate, first);
    } else {
      std::make_heap(candidates_.begin(), candidates_.end(), worse);
      while (!candidates_.empty() && items_.size() - first < limit) {
        std::pop_heap(candidates_.begin(), candidates_.end(), worse);
        keep(candidates_.back(), first);
        candidates_.pop_back();
      }
    }
    node_items_.push_back(static_cast<std::uint32_t>(items_.size()));
  }
  goal_ = node_items_[graph.goal()];
}

void BleuSearch::candidates_of(std::uint32_t edge) {
  const auto tails = graph_->tails_of(edge);
  choice_.clear();
  for (const std::uint32_t tail : tails) choice_.push_back(node_items_[tail]);
  for (;;) {  // all combinations, the first tail's item changing fastest
    add_candidate(edge, choice_);
    std::size_t i = 0;
    for (; i < tails.size() && ++choice_[i] == node_items_[tails[i] + 1]; ++i)
      choice_[i] = node_items_[tails[i]];
    if (i == tails.size()) return;
  }
}

void BleuSearch::add_candidate(std::uint32_t edge, std::span<const std::uint32_t> tails) {
  double total = scores_[edge] + gain_->word * bleu_->length(edge);
  std::uint64_t states = 0, radix = 1;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    total += items_[tails[i]].total;
    states += radix * items_[tails[i]].state;
    radix *= bleu_->states(graph_->tails_of(edge)[i]);
  }
  const std::uint64_t* bits = scratch_.data();
  if (tails.size() == 1) {
    bits = bits_of(tails[0]);
  } else {
    std::fill(scratch_.begin(), scratch_.end(), 0);
    for (const std::uint32_t tail : tails) total -= merge(scratch_.data(), bits_of(tail));
  }
  const std::uint64_t transition = bleu_->transition(edge, states);
  total += add_matches(bleu_->matches(transition), bits, nullptr);
  candidates_.push_back(
      {total, edge, static_cast<std::uint32_t>(candidate_tails_.size()), transition});
  candidate_tails_.insert(candidate_tails_.end(), tails.begin(), tails.end());
}

void BleuSearch::keep(const Candidate& candidate, std::size_t first) {
  const auto arity = graph_->tails_of(candidate.edge).size();
  const std::uint32_t* tails = candidate_tails_.data() + candidate.tails;
  Item item{candidate.total,
            scores_[candidate.edge],
            bleu_->target(candidate.transition),
            bleu_->length(candidate.edge),
            candidate.edge,
            static_cast<std::uint32_t>(item_tails_.size())};
  std::fill(scratch_.begin(), scratch_.end(), 0);
  for (std::size_t i = 0; i < arity; ++i) {
    item.score += items_[tails[i]].score;
    item.length += items_[tails[i]].length;
    merge(scratch_.data(), bits_of(tails[i]));
  }
  add_matches(bleu_->matches(candidate.transition), scratch_.data(), scratch_.data());
  for (std::size_t i = first; i < items_.size(); ++i)
    if (items_[i].state == item.state && items_[i].length == item.length &&
        std::equal(scratch_.begin(), scratch_.end(), bits_of(i)))
      return;  // candidates come best first
  items_.push_back(item);
  item_tails_.insert(item_tails_.end(), tails, tails + arity);
  bits_.insert(bits_.end(), scratch_.begin(), scratch_.end());
}

double BleuSearch::merge(std::uint64_t* target, const std::uint64_t* other) const {
  std::uint64_t shared = 0;
  for (std::size_t w = 0; w < words_; ++w) shared |= target[w] & other[w];
  if (shared == 0) {
    for (std::size_t w = 0; w < words_; ++w) target[w] |= other[w];
    return 0.0;
  }
  const NgramAutomaton& ngrams = bleu_->ngrams();
  double lost = 0.0;
  for_each_bit(other, words_, [&](std::uint32_t bit) {
    const std::int32_t ngram = ngrams.owner(bit);
    const std::uint32_t first = ngrams.first_bit(ngram);
    if (bit != first) return;
    const int count = ngrams.count(ngram);
    const int before = used(target, first, count);
    const int wanted = before + used(other, first, count);
    for (int i = before; i < std::min(wanted, count); ++i)
      set_bit(target, first + static_cast<std::uint32_t>(i));
    lost += std::max(wanted - count, 0) * gain_->match[ngrams.depth(ngram) - 1];
  });
  return lost;
}

double BleuSearch::add_matches(std::span<const BleuGraph::Match> matches, const std::uint64_t* bits,
                               std::uint64_t* set) const {
  const NgramAutomaton& ngrams = bleu_->ngrams();
  double total = 0.0;
  for (const BleuGraph::Match& match : matches) {
    const std::uint32_t first = ngrams.first_bit(match.ngram);
    const int count = ngrams.count(match.ngram);
    const int before = used(bits, first, count);
    const int after = std::min(before + match.times, count);
    total += (after - before) * gain_->match[ngrams.depth(match.ngram) - 1];
    if (set != nullptr)
      for (int i = before; i < after; ++i) set_bit(set, first + static_cast<std::uint32_t>(i));
  }
  return total;
}

void BleuSearch::stats(std::size_t i, std::int32_t* out) const {
  const NgramAutomaton& ngrams = bleu_->ngrams();
  std::fill(out, out + ngrams.order(), 0);
  for_each_bit(bits_of(goal_ + i), words_,
               [&](std::uint32_t bit) { ++out[ngrams.depth(ngrams.owner(bit)) - 1]; });
  bleu_->scorer().complete(bleu_->sentence(), items_[goal_ + i].length, out);
}

void BleuSearch::derivation(std::size_t i, std::vector<std::uint32_t>& edges) const {
  edges.clear();
  std::vector<std::uint32_t> open{static_cast<std::uint32_t>(goal_ + i)};
  while (!open.empty()) {
    const Item& item = items_[open.back()];
    open.pop_back();
    edges.push_back(item.edge);
    const auto arity = graph_->tails_of(item.edge).size();
    for (std::size_t t = 0; t < arity; ++t) open.push_back(item_tails_[item.tails + t]);
  }
  std::reverse(edges.begin(), edges.end());
}

}  // namespace tunesmith
