// A graph seen by BLEU: which n-grams of the references every edge completes.
//
// An n-gram can reach over the words of several edges, so what an edge completes depends on the
// words around its tails: the last order − 1 of them, and the first ones too where something can
// stand before them (arity above 1). Only words that can still be part of a match matter, which
// leaves few distinct states (they are what a language model of the references would keep). A node
// has one state for every pair of ends that its derivations have; an edge one transition for every
// combination of its tails' states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/hypergraph.hh"
#include "graph/ngram_automaton.hh"
#include "metrics/bleu.hh"

namespace tunesmith::graph {

struct NgramState {
  std::int32_t left = NgramAutomaton::kNothing;   // the longest beginning that can grow leftwards
  std::int32_t right = NgramAutomaton::kNothing;  // the longest end that can grow rightwards
  bool whole = true;                              // each of them is all the words

  bool operator==(const NgramState&) const = default;
};

class BleuGraph {
 public:
  // An n-gram that an edge completes: how often, and what the automaton knows of it.
  struct Match {
    std::uint32_t first_bit;
    std::int32_t count;
    std::int32_t times;
    std::int32_t order;  // from 0
  };

  // `symbols` are those of the graph's words: [vocabulary], as BleuScorer::symbol() gives them.
  // The scorer must outlive this.
  BleuGraph(const GraphView& graph, std::span<const std::uint32_t> symbols,
            const metrics::BleuScorer& scorer, std::uint32_t sentence);

  const NgramAutomaton& ngrams() const { return automaton_; }
  const metrics::BleuScorer& scorer() const { return *scorer_; }
  std::uint32_t sentence() const { return sentence_; }
  // The number of a node's states.
  std::uint32_t states(std::uint32_t node) const {
    return state_offsets_[node + 1] - state_offsets_[node];
  }
  // The transition of an edge, given its tails' states, as a number in the tails' mixed radix (the
  // first tail counts least).
  std::uint64_t transition(std::uint32_t edge, std::uint64_t tail_states) const {
    return transition_offsets_[edge] + tail_states;
  }
  // The state of the edge's head.
  std::uint32_t target(std::uint64_t transition) const { return targets_[transition]; }
  std::span<const Match> matches(std::uint64_t transition) const {
    return {matches_.data() + match_offsets_[transition],
            matches_.data() + match_offsets_[transition + 1]};
  }
  // Its matches by order, clipped by nothing: [order].
  const std::uint16_t* match_counts(std::uint64_t transition) const {
    return match_counts_.data() + transition * static_cast<std::uint64_t>(automaton_.order());
  }
  // The number of words that an edge itself has.
  std::int32_t length(std::uint32_t edge) const { return lengths_[edge]; }

 private:
  class Reader;

  const metrics::BleuScorer* scorer_;
  std::uint32_t sentence_;
  NgramAutomaton automaton_;
  std::vector<std::uint32_t> state_offsets_;
  std::vector<NgramState> states_;
  std::vector<std::uint64_t> transition_offsets_;
  std::vector<std::uint32_t> targets_;
  std::vector<std::uint64_t> match_offsets_;
  std::vector<Match> matches_;
  std::vector<std::uint16_t> match_counts_;
  std::vector<std::int32_t> lengths_;
};

}  // namespace tunesmith::graph
