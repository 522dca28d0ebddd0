#include "decode/phrase_kbest.hh"

#include <algorithm>

namespace tunesmith {
namespace {

struct LowerScore {
  template <typename Entry>
  bool operator()(const Entry& a, const Entry& b) const {
    if (a.score != b.score) return a.score < b.score;
    return a.edge != b.edge ? a.edge > b.edge : a.rank > b.rank;
  }
};

// Up to this length a list is searched for equal words one by one.
constexpr std::size_t kShortList = 32;

}  // namespace

PhraseKBest::PhraseKBest(const PhraseModel& model, const SearchGraph& graph, bool distinct)
    : model_(model), graph_(graph), distinct_(distinct), lists_(graph.states.size()) {
  list_of(0).started = true;
  list_of(0).found.push_back({});
}

PhraseKBest::List& PhraseKBest::list_of(std::uint32_t state) {
  if (!lists_[state]) lists_[state] = std::make_unique<List>();
  return *lists_[state];
}

// Whether no derivation found so far has these words.
bool PhraseKBest::is_new(List& list, std::uint64_t text) {
  if (list.found.size() < kShortList)
    return std::none_of(list.found.begin(), list.found.end(),
                        [&](const Entry& entry) { return entry.text == text; });
  if (list.texts.empty())
    for (const Entry& entry : list.found) list.texts.insert(entry.text);
  return list.texts.insert(text).second;
}

void PhraseKBest::offer(std::uint32_t state, std::uint32_t edge_index, std::uint32_t rank) {
  const SearchEdge& edge = graph_.edges[edge_index];
  if (!reach(edge.tail, rank)) return;
  const Entry& before = list_of(edge.tail).found[rank];
  Entry entry;
  entry.edge = edge_index;
  entry.rank = rank;
  // The edge's own part of the score is the same whatever derivation its tail has.
  entry.score = before.score + (static_cast<double>(edge.score) - graph_.states[edge.tail].score);
  if (distinct_) entry.text = extend_text_hash(model_, before.text, *edge.rule);
  List& list = list_of(state);
  list.heap.push_back(entry);
  std::push_heap(list.heap.begin(), list.heap.end(), LowerScore{});
}

bool PhraseKBest::reach(std::uint32_t state, std::size_t k) {
  List& list = list_of(state);
  if (list.found.size() > k) return true;
  if (!list.started) {
    list.started = true;
    for (std::uint32_t e = graph_.states[state].edges; e != kNone; e = graph_.edges[e].next)
      offer(state, e, 0);
  }
  while (list.found.size() <= k && !list.heap.empty()) {
    std::pop_heap(list.heap.begin(), list.heap.end(), LowerScore{});
    const Entry best = list.heap.back();
    list.heap.pop_back();
    if (!distinct_ || is_new(list, best.text)) list.found.push_back(best);
    offer(state, best.edge, best.rank + 1);
  }
  return list.found.size() > k;
}

bool PhraseKBest::derivation(std::size_t k, std::vector<std::uint32_t>& edges) {
  edges.clear();
  if (graph_.goal == kNone || !reach(graph_.goal, k)) return false;
  std::uint32_t state = graph_.goal;
  std::size_t rank = k;
  while (state != 0) {
    const Entry& entry = list_of(state).found[rank];
    edges.push_back(entry.edge);
    rank = entry.rank;
    state = graph_.edges[entry.edge].tail;
  }
  std::reverse(edges.begin(), edges.end());
  return true;
}

}  // namespace tunesmith
