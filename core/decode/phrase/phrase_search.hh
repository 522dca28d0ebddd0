// Phrase-based stack search with cube pruning (Koehn et al. 2003; Huang & Chiang 2007).
//
// 1. Stack n holds the states that cover n source words. A state is all that later scores can see:
//    the coverage, the span of the last phrase, its reordering scores towards the next phrase, the
//    language models' contexts, and what lexical features see of the last rule and words. What no
//    continuation can see is blanked out, so that as many hypotheses as possible recombine.
// 2. States of a stack that share coverage and last end form a group. A group and a span that may
//    follow make a cube: states by rules, both best first.
// 3. All cubes of a stack compete in one queue; each pop becomes an edge into a state of the
//    stack, and its neighbours join the queue.
// Edges that lose a recombination are kept: the search graph holds every derivation in the beam.
//
// Early discarding: log probabilities are at most 0, so with language model weights of at least 0 a
// candidate's score without its open words is a bound. A bound below the best of the stack so far
// minus the beam threshold means that the state would be dropped when the stack is finished; the
// candidate is passed over without a look into the language models. The last stack keeps all, and
// features that see what was chosen before have no such bound: with them nothing is discarded.
//
// Where something is demanded of the whole translation (rule_constraint.hh), what that must know of
// the words so far is part of the state and of the group, and a cube has only the rules that may
// come next.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decode/coverage.hh"
#include "decode/pair_worth.hh"
#include "decode/phrase/phrase_options.hh"
#include "decode/phrase/rule_constraint.hh"

namespace tunesmith::decode {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct SearchEdge {
  std::uint32_t tail = kNone;  // state
  std::uint32_t next = kNone;  // another edge into the same state
  const PreparedRule* rule = nullptr;
  std::uint16_t begin = 0, end = 0;  // source words
  float score = 0.0F;                // of the best derivation that ends with this edge
};

struct SearchState {
  Coverage coverage;
  LastPhrase last;
  std::uint32_t target = 0;  // of the constraint; 0 where there is none, and in the end
  std::uint64_t hash = 0;
  float score = 0.0F;  // of its best edge
  float total = 0.0F;  // score + future cost
  std::uint32_t best = kNone, edges = kNone;
};

// What a search leaves behind. States are in topological order; state 0 is the start.
struct SearchGraph {
  std::vector<SearchState> states;
  std::vector<SearchEdge> edges;
  std::vector<float> edge_lm;  // [edge × language model] natural log
  // The value of lexical features that look at the rule before; empty where there are none.
  std::vector<float> edge_lexical;
  std::uint32_t goal = kNone;  // every complete derivation ends here
  std::uint64_t pops = 0;
  std::uint64_t discarded = 0;  // cells that were passed over by early discarding
  bool timed_out = false;
};

class PhraseSearch {
 public:
  PhraseSearch(const PhraseModel& model, std::span<const double> weights,
               const SearchOptions& options);

  // The result is valid until the next call. Phrases that are forbidden do not stand in one rule of
  // the options; with `forbidden` they do not stand in several either.
  const SearchGraph& run(const PhraseOptions& options, const SourceSentence& sentence,
                         const ForbiddenPhrases* forbidden = nullptr);

 private:
  struct Group {
    Coverage coverage;
    std::uint16_t last_end = 0;
    std::uint32_t target = 0;
    std::uint32_t begin = 0, end = 0;  // in order_
  };
  struct Cube {
    std::uint32_t group_begin = 0, group_size = 0;
    const PreparedRule* rules = nullptr;
    std::uint32_t rule_count = 0;
    std::uint16_t begin = 0, end = 0;
    Coverage coverage;  // after the span
    float jump = 0.0F;  // what the way there is worth
    float future = 0.0F;
    std::uint32_t taken = 0;
  };
  struct History : RuleHistory {
    std::uint64_t hash = 0;  // of all that the features look at
  };
  struct Item {
    float total = 0.0F;
    std::uint32_t slot = 0;
  };
  struct Slot {
    std::uint32_t cube = 0, state = 0, rule = 0;
    float score = 0.0F;
  };

  bool search(int distortion_limit);
  void start();
  void finish_stack(int covered, int distortion_limit);
  void open_cubes(const Group& group, int covered, int distortion_limit);
  bool may_follow(const Coverage& coverage, int begin, int end) const;
  void fill_stack(int covered, int pop_limit);
  // Puts the cell, or what comes next to it where it is discarded, into the queue.
  void offer(std::uint32_t cube, std::uint32_t state, std::uint32_t rule);
  void push(std::uint32_t cube, std::uint32_t state, std::uint32_t rule);
  // The score of a cell but for the open words.
  float score_without_lm(const Cube& cube, std::uint32_t state, std::uint32_t rule) const;
  void accept(const Slot& slot, std::uint32_t slot_index);
  // What later phrases can see of this one.
  LastPhrase visible_of(const Cube& cube, const PreparedRule& rule) const;
  float history_score(const History& history, const PreparedRule& rule);
  History history_after(const History& history, const PreparedRule& rule) const;
  float future_of(const Coverage& coverage) const;
  std::uint32_t find_or_add(const SearchState& state, const lm::State* contexts,
                            const History& history);

  const PhraseModel& model_;
  std::span<const double> weights_;
  const SearchOptions search_options_;
  int models_;
  const PairWorth pair_;
  std::vector<float> dense_weights_;  // those of the dense features, as single numbers
  std::vector<float> lm_weights_;

  const bool sees_history_;
  std::vector<std::uint64_t> keys_;  // scratch

  const PhraseOptions* options_ = nullptr;
  const SourceSentence* sentence_ = nullptr;
  std::unique_ptr<RuleConstraint> constraint_;
  int words_ = 0;
  SearchGraph graph_;
  std::vector<lm::State> contexts_;  // [state × language model]
  std::vector<History> histories_;   // of every state, where they matter
  std::vector<std::vector<Cube>> cubes_;
  std::vector<std::uint32_t> order_;   // scratch: the stack's states
  std::vector<std::uint32_t> ranked_;  // states of all stacks by group, best first
  std::vector<Item> queue_;
  std::vector<Slot> slots_;
  std::vector<lm::State> slot_contexts_;
  std::vector<float> slot_lm_;
  std::vector<History> slot_histories_;
  std::vector<float> slot_lexical_;
  std::vector<std::uint32_t> table_;  // recombination: open addressing over states of the stack
  std::uint32_t stack_begin_ = 0;     // first state of the current stack
  int current_ = 0;                   // the stack that is being filled
  bool can_discard_ = false;          // early, in the current stack
  float stack_best_ = 0.0F;           // highest total of the current stack so far
};

}  // namespace tunesmith::decode
