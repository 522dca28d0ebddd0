#include "graph/bleu_search.hh"

#include <algorithm>
#include <bit>

#include "base/hash.hh"

namespace tunesmith::graph {

namespace {

bool test(const std::uint64_t* bits, std::uint32_t i) { return (bits[i / 64] >> (i % 64)) & 1; }

void set_bit(std::uint64_t* bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }

// How many of the bits [first, first + count) are set, the lowest of which are.
int used(const std::uint64_t* bits, std::uint32_t first, int count) {
  int n = 0;
  while (n < count && test(bits, first + static_cast<std::uint32_t>(n))) ++n;
  return n;
}

// A random number for every bit.
std::uint64_t key_of(std::uint32_t bit) { return mix64(bit + 0x9e3779b97f4a7c15ULL); }

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
  tails_.clear();
  bits_.clear();
  node_items_.assign(1, 0);
  scratch_.assign(words_, 0);
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    const std::size_t first = items_.size();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e)
      try_edge(e, first);
    close_node(first);
    node_items_.push_back(static_cast<std::uint32_t>(items_.size()));
  }
  goal_ = node_items_[graph.goal()];
}

void BleuSearch::try_edge(std::uint32_t edge, std::size_t first) {
  const auto tails = graph_->tails_of(edge);
  choice_.clear();
  for (const std::uint32_t tail : tails) choice_.push_back(node_items_[tail]);
  for (;;) {  // all combinations, the first tail's item changing fastest
    try_item(edge, choice_, first);
    std::size_t i = 0;
    for (; i < tails.size() && ++choice_[i] == node_items_[tails[i] + 1]; ++i)
      choice_[i] = node_items_[tails[i]];
    if (i == tails.size()) return;
  }
}

void BleuSearch::try_item(std::uint32_t edge, std::span<const std::uint32_t> tails,
                          std::size_t first) {
  Item item{scores_[edge], scores_[edge], 0, 0, bleu_->length(edge), edge, 0};
  item.total += gain_->word * item.length;
  std::uint64_t states = 0, radix = 1;
  for (std::size_t i = 0; i < tails.size(); ++i) {
    const Item& tail = items_[tails[i]];
    item.total += tail.total;
    item.score += tail.score;
    item.length += tail.length;
    states += radix * tail.state;
    radix *= bleu_->states(graph_->tails_of(edge)[i]);
  }
  const std::uint64_t transition = bleu_->transition(edge, states);
  if (items_.size() - first >= beam_ && tails.size() < 2) {
    // If every match were new, would it be good enough?
    const std::uint16_t* counts = bleu_->match_counts(transition);
    double most = item.total;
    for (std::size_t n = 0; n < gain_->match.size(); ++n)
      most += std::max(counts[n] * gain_->match[n], 0.0);
    if (most <= items_.back().total) return;
  }
  const std::uint64_t* bits = scratch_.data();
  if (tails.size() == 1) {
    bits = bits_of(tails[0]);
    item.key = items_[tails[0]].key;
  } else {
    std::fill(scratch_.begin(), scratch_.end(), 0);
    for (const std::uint32_t tail : tails)
      item.total -= merge(scratch_.data(), bits_of(tail), item.key);
  }
  item.total += add_matches(bleu_->matches(transition), bits, nullptr, item.key);
  item.state = bleu_->target(transition);
  insert(item, tails, first);
}

void BleuSearch::insert(const Item& item, std::span<const std::uint32_t> tails, std::size_t first) {
  // Of equals the one that was found first stays, and stays in front.
  std::size_t gone = items_.size();  // the place of a worse item for the same set
  for (std::size_t i = first; i < items_.size(); ++i) {
    if (items_[i].key != item.key || items_[i].state != item.state ||
        items_[i].length != item.length)
      continue;
    if (items_[i].total >= item.total) return;
    gone = i;
    break;
  }
  if (gone == items_.size()) {
    if (items_.size() - first < beam_)
      items_.emplace_back();
    else if (items_.back().total >= item.total)
      return;
    else
      --gone;
  }
  while (gone > first && items_[gone - 1].total < item.total) {
    items_[gone] = items_[gone - 1];
    --gone;
  }
  items_[gone] = item;
  items_[gone].tails = static_cast<std::uint32_t>(tails_.size());
  tails_.insert(tails_.end(), tails.begin(), tails.end());
}

void BleuSearch::close_node(std::size_t first) {
  bits_.resize(items_.size() * words_, 0);
  std::uint64_t key = 0;
  for (std::size_t i = first; i < items_.size(); ++i) {
    const Item& item = items_[i];
    const auto tails = graph_->tails_of(item.edge);
    std::uint64_t* bits = bits_.data() + i * words_;
    std::uint64_t states = 0, radix = 1;
    for (std::size_t t = 0; t < tails.size(); ++t) {
      const std::uint32_t tail = tails_[item.tails + t];
      if (t == 0)
        std::copy_n(bits_of(tail), words_, bits);
      else
        merge(bits, bits_of(tail), key);
      states += radix * items_[tail].state;
      radix *= bleu_->states(tails[t]);
    }
    add_matches(bleu_->matches(bleu_->transition(item.edge, states)), bits, bits, key);
  }
}

double BleuSearch::merge(std::uint64_t* target, const std::uint64_t* other,
                         std::uint64_t& key) const {
  const NgramAutomaton& ngrams = bleu_->ngrams();
  double lost = 0.0;
  for_each_bit(other, words_, [&](std::uint32_t bit) {
    const std::int32_t ngram = ngrams.owner(bit);
    const std::uint32_t first = ngrams.first_bit(ngram);
    if (bit != first) return;
    const int count = ngrams.count(ngram);
    const int before = used(target, first, count);
    const int wanted = before + used(other, first, count);
    for (int i = before; i < std::min(wanted, count); ++i) {
      set_bit(target, first + static_cast<std::uint32_t>(i));
      key += key_of(first + static_cast<std::uint32_t>(i));
    }
    lost += std::max(wanted - count, 0) * gain_->match[ngrams.depth(ngram) - 1];
  });
  return lost;
}

double BleuSearch::add_matches(std::span<const BleuGraph::Match> matches, const std::uint64_t* bits,
                               std::uint64_t* set, std::uint64_t& key) const {
  double total = 0.0;
  for (const BleuGraph::Match& match : matches) {
    const int before = used(bits, match.first_bit, match.count);
    const int after = std::min(before + match.times, match.count);
    for (int i = before; i < after; ++i) {
      const std::uint32_t bit = match.first_bit + static_cast<std::uint32_t>(i);
      key += key_of(bit);
      if (set != nullptr) set_bit(set, bit);
    }
    total += (after - before) * gain_->match[match.order];
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
    for (std::size_t t = 0; t < arity; ++t) open.push_back(tails_[item.tails + t]);
  }
  std::reverse(edges.begin(), edges.end());
}

}  // namespace tunesmith::graph
