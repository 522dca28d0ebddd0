#include "graph/kbest.hh"

#include <algorithm>

#include "base/hash.hh"

namespace tunesmith::graph {
namespace {

// Arithmetic modulo the Mersenne prime 2^61 − 1, where products of residues fit in 128 bits.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0B504F333F9DE649 % kPrime;  // an arbitrary residue

// Up to this length a list is searched for equal words one by one.
constexpr std::size_t kShortList = 32;

std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
  const auto product = static_cast<unsigned __int128>(a) * b;
  const std::uint64_t sum =
      static_cast<std::uint64_t>(product & kPrime) + static_cast<std::uint64_t>(product >> 61);
  return sum >= kPrime ? sum - kPrime : sum;
}

}  // namespace

YieldHash YieldHash::of_word(std::uint64_t word_hash) { return {word_hash % kPrime, kBase}; }

YieldHash YieldHash::then(const YieldHash& right) const {
  const std::uint64_t sum = multiply(hash, right.power) + right.hash;
  return {sum >= kPrime ? sum - kPrime : sum, multiply(power, right.power)};
}

YieldHash WordYields::yield(std::uint32_t edge, std::span<const YieldHash> tails) const {
  YieldHash out;
  for (const std::int32_t symbol : graph_.words_of(edge))
    out = out.then(is_tail_slot(symbol)
                       ? tails[slot_tail(symbol)]
                       : YieldHash::of_word(hash_combine(1, static_cast<std::uint64_t>(symbol))));
  return out;
}

KBest::KBest(const GraphView& graph, std::span<const double> scores, const EdgeYields* yields)
    : graph_(graph), scores_(scores), yields_(yields), best_(best_inside(graph, scores)) {
  if (graph.empty()) return;
  lists_.resize(graph.nodes());
  if (yields == nullptr) return;
  best_texts_.resize(graph.nodes());
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    tail_texts_.clear();
    for (const std::uint32_t tail : graph.tails_of(best_.edge[node]))
      tail_texts_.push_back(best_texts_[tail]);
    best_texts_[node] = yields->yield(best_.edge[node], tail_texts_);
  }
}

bool KBest::lower(const Entry& a, const Entry& b) const {
  if (a.score != b.score) return a.score < b.score;
  if (a.edge != b.edge) return a.edge > b.edge;
  const std::size_t arity = graph_.tails_of(a.edge).size();
  return std::lexicographical_compare(ranks_.begin() + b.ranks, ranks_.begin() + b.ranks + arity,
                                      ranks_.begin() + a.ranks, ranks_.begin() + a.ranks + arity);
}

// Whether no derivation found so far has these words.
bool KBest::is_new(List& list, std::uint64_t text) const {
  if (list.found.size() < kShortList)
    return std::none_of(list.found.begin(), list.found.end(),
                        [&](const Entry& entry) { return entry.text.hash == text; });
  if (list.texts.empty())
    for (const Entry& entry : list.found) list.texts.insert(entry.text.hash);
  return list.texts.insert(text).second;
}

double KBest::score_of(std::uint32_t node, std::uint32_t rank) const {
  return rank == 0 ? best_.score[node] : lists_[node]->found[rank].score;
}

YieldHash KBest::text_of(std::uint32_t node, std::uint32_t rank) const {
  return rank == 0 ? best_texts_[node] : lists_[node]->found[rank].text;
}

// Of a candidate whose tails' derivations have all been found.
KBest::Entry KBest::entry(std::uint32_t edge, std::uint32_t ranks) {
  Entry made{scores_[edge], edge, ranks, {}};
  const auto tails = graph_.tails_of(edge);
  tail_texts_.clear();
  for (std::size_t i = 0; i < tails.size(); ++i) {
    made.score += score_of(tails[i], ranks_[ranks + i]);
    if (yields_ != nullptr) tail_texts_.push_back(text_of(tails[i], ranks_[ranks + i]));
  }
  if (yields_ != nullptr) made.text = yields_->yield(edge, tail_texts_);
  return made;
}

void KBest::push(List& list, const Entry& made) {
  list.heap.push_back(made);
  std::push_heap(list.heap.begin(), list.heap.end(),
                 [this](const Entry& a, const Entry& b) { return lower(a, b); });
}

// The node's list, which begins with its best derivation and the first candidate of every edge.
KBest::List& KBest::list_of(std::uint32_t node) {
  if (lists_[node]) return *lists_[node];
  lists_[node] = std::make_unique<List>();
  List& list = *lists_[node];
  for (std::uint32_t e = graph_.first_edge(node); e < graph_.end_edge(node); ++e) {
    const auto ranks = static_cast<std::uint32_t>(ranks_.size());
    ranks_.resize(ranks_.size() + graph_.tails_of(e).size(), 0);
    const Entry first = entry(e, ranks);
    if (e == best_.edge[node]) {
      list.last = first;
      list.found.push_back(first);
    } else {
      list.heap.push_back(first);
    }
  }
  std::make_heap(list.heap.begin(), list.heap.end(),
                 [this](const Entry& a, const Entry& b) { return lower(a, b); });
  return list;
}

// Whether there is nothing left to find.
bool KBest::exhausted(std::uint32_t node) const {
  if (!lists_[node]) return false;
  const List& list = *lists_[node];
  return list.heap.empty() && list.raised >= graph_.tails_of(list.last.edge).size();
}

// Puts the successors of the last derivation into the heap; false if one of them waits for a
// derivation of its tail, which has become a task then.
bool KBest::offer_successors(List& list) {
  const auto tails = graph_.tails_of(list.last.edge);
  while (list.raised < tails.size()) {
    const std::size_t i = list.raised;
    bool later = false;  // a rank behind this one is not 0: another candidate leads there
    for (std::size_t j = i + 1; j < tails.size(); ++j) later |= ranks_[list.last.ranks + j] != 0;
    const std::uint32_t wanted = ranks_[list.last.ranks + i] + 1;
    if (!later && known(tails[i]) > wanted) {
      const auto ranks = static_cast<std::uint32_t>(ranks_.size());
      for (std::size_t j = 0; j < tails.size(); ++j) ranks_.push_back(ranks_[list.last.ranks + j]);
      ranks_[ranks + i] = wanted;
      push(list, entry(list.last.edge, ranks));
    } else if (!later && !exhausted(tails[i])) {
      tasks_.push_back({tails[i], wanted});
      return false;
    }
    ++list.raised;
  }
  return true;
}

bool KBest::reach(std::uint32_t node, std::uint32_t rank) {
  tasks_.clear();
  tasks_.push_back({node, rank});
  while (!tasks_.empty()) {
    const Task task = tasks_.back();
    if (known(task.node) > task.rank || exhausted(task.node)) {
      tasks_.pop_back();
      continue;
    }
    List& list = list_of(task.node);
    if (!offer_successors(list) || list.heap.empty()) continue;
    std::pop_heap(list.heap.begin(), list.heap.end(),
                  [this](const Entry& a, const Entry& b) { return lower(a, b); });
    list.last = list.heap.back();
    list.heap.pop_back();
    list.raised = 0;
    if (yields_ == nullptr || is_new(list, list.last.text.hash)) list.found.push_back(list.last);
  }
  return known(node) > rank;
}

bool KBest::derivation(std::size_t k, std::vector<std::uint32_t>& edges, double* score) {
  edges.clear();
  const auto rank = static_cast<std::uint32_t>(k);
  if (graph_.empty() || !reach(graph_.goal(), rank)) return false;
  if (score != nullptr) *score = score_of(graph_.goal(), rank);
  std::vector<Task> open{{graph_.goal(), rank}};
  while (!open.empty()) {
    const Task at = open.back();
    open.pop_back();
    const Entry* found = at.rank == 0 ? nullptr : &lists_[at.node]->found[at.rank];
    const std::uint32_t edge = found == nullptr ? best_.edge[at.node] : found->edge;
    edges.push_back(edge);
    const auto tails = graph_.tails_of(edge);
    for (std::size_t i = 0; i < tails.size(); ++i)
      open.push_back({tails[i], found == nullptr ? 0 : ranks_[found->ranks + i]});
  }
  std::reverse(edges.begin(), edges.end());
  return true;
}

}  // namespace tunesmith::graph
