#include "graph/bleu_graph.hh"

#include <algorithm>

namespace tunesmith::graph {

// Reads the words of an edge, its tails' among them, from left to right.
class BleuGraph::Reader {
 public:
  // `both_ends`: something may come before these words.
  Reader(const NgramAutomaton& automaton, bool both_ends)
      : automaton_(automaton), both_ends_(both_ends) {}

  void start() {
    completed_.clear();
    left_ = right_ = NgramAutomaton::kNothing;
    open_ = both_ends_;
  }

  void word(std::uint32_t symbol) {
    const std::int32_t ngram = automaton_.next(right_, symbol);
    count(ngram, 0);
    right_ = automaton_.context(ngram);
    grow_left(symbol);
  }

  void tail(const NgramState& state) {
    automaton_.spell(state.left, symbols_);
    // N-grams across the seam: those that are longer than what has been read beyond it.
    std::int32_t across = right_;
    int read = 0;
    for (; across != NgramAutomaton::kNothing && read < static_cast<int>(symbols_.size()); ++read) {
      const std::int32_t ngram = automaton_.next(across, symbols_[read]);
      count(ngram, read + 1);
      across =
          automaton_.depth(ngram) > read + 1 ? automaton_.context(ngram) : NgramAutomaton::kNothing;
    }
    const bool reaches_over = state.whole && automaton_.depth(across) > read;
    right_ = reaches_over ? across : state.right;
    for (std::size_t i = 0; open_ && i < symbols_.size(); ++i) grow_left(symbols_[i]);
    open_ = open_ && state.whole;
  }

  NgramState state() const { return {left_, right_, open_}; }

  // Appends what start() and the calls after it have completed, each n-gram once, and the counts
  // by order.
  void finish(std::vector<Match>& matches, std::vector<std::uint16_t>& counts) {
    std::sort(completed_.begin(), completed_.end());
    const std::size_t first = counts.size();
    counts.resize(first + static_cast<std::size_t>(automaton_.order()));
    for (std::size_t i = 0; i < completed_.size(); ++i) {
      const std::int32_t ngram = completed_[i];
      const int order = automaton_.depth(ngram) - 1;
      if (i > 0 && completed_[i - 1] == ngram)
        ++matches.back().times;
      else
        matches.push_back({automaton_.first_bit(ngram), automaton_.count(ngram), 1, order});
      ++counts[first + static_cast<std::size_t>(order)];
    }
  }

 private:
  // The n-grams that end with `ngram` and are longer than `known`.
  void count(std::int32_t ngram, int known) {
    for (; automaton_.depth(ngram) > known; ngram = automaton_.suffix(ngram))
      completed_.push_back(ngram);
  }

  void grow_left(std::uint32_t symbol) {
    if (!open_) return;
    const bool room = automaton_.depth(left_) + 1 < automaton_.order();
    const std::int32_t longer = room ? automaton_.longer(left_, symbol) : NgramAutomaton::kNothing;
    open_ = longer != NgramAutomaton::kNothing;
    if (open_) left_ = longer;
  }

  const NgramAutomaton& automaton_;
  bool both_ends_;
  std::int32_t left_ = NgramAutomaton::kNothing, right_ = NgramAutomaton::kNothing;
  bool open_ = false;  // all words so far are left_
  std::vector<std::int32_t> completed_;
  std::vector<std::uint32_t> symbols_;
};

BleuGraph::BleuGraph(const GraphView& graph, std::span<const std::uint32_t> symbols,
                     const metrics::BleuScorer& scorer, std::uint32_t sentence)
    : scorer_(&scorer),
      sentence_(sentence),
      automaton_(scorer.ngrams(sentence), scorer.order()),
      state_offsets_{0},
      transition_offsets_{0},
      match_offsets_{0} {
  if (graph.empty()) return;
  bool both_ends = false;
  for (std::uint32_t e = 0; e < graph.edges(); ++e) {
    const auto words = graph.words_of(e);
    for (std::size_t i = 1; i < words.size(); ++i) both_ends |= is_tail_slot(words[i]);
  }
  Reader reader(automaton_, both_ends);
  std::vector<std::uint32_t> tail_states;  // the combination, the last of a tail first exhausted
  for (std::uint32_t node = 0; node < graph.nodes(); ++node) {
    const auto first_state = states_.size();
    for (std::uint32_t e = graph.first_edge(node); e < graph.end_edge(node); ++e) {
      const auto tails = graph.tails_of(e);
      const auto words = graph.words_of(e);
      std::uint64_t combinations = 1;
      for (const std::uint32_t tail : tails) combinations *= states(tail);
      lengths_.push_back(static_cast<std::int32_t>(words.size() - tails.size()));
      for (std::uint64_t c = 0; c < combinations; ++c) {
        tail_states.clear();
        std::uint64_t rest = c;
        for (const std::uint32_t tail : tails) {
          tail_states.push_back(state_offsets_[tail] +
                                static_cast<std::uint32_t>(rest % states(tail)));
          rest /= states(tail);
        }
        reader.start();
        for (const std::int32_t symbol : words) {
          if (is_tail_slot(symbol))
            reader.tail(states_[tail_states[slot_tail(symbol)]]);
          else
            reader.word(symbols[symbol]);
        }
        const NgramState state = reader.state();
        const auto place = std::find(states_.begin() + first_state, states_.end(), state);
        targets_.push_back(static_cast<std::uint32_t>(place - states_.begin() - first_state));
        if (place == states_.end()) states_.push_back(state);
        reader.finish(matches_, match_counts_);
        match_offsets_.push_back(matches_.size());
      }
      transition_offsets_.push_back(targets_.size());
    }
    state_offsets_.push_back(static_cast<std::uint32_t>(states_.size()));
  }
}

}  // namespace tunesmith::graph
