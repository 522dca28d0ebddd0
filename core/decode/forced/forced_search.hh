// Forced decoding: all derivations of a given translation, exactly (Yu et al. 2013, §2.2).
//
// 1. Every rule of every source span is looked for in the reference once.
// 2. A node is what decides how a derivation may go on: the source words covered, the number of
//    target words made, the end of the last phrase. The language model needs nothing more: its
//    context is the position in the reference. Nodes are found bin by bin, where bin i covers i
//    source words; nothing is pruned.
// 3. What does not lead to the goal is taken away. The goal is the whole pair; or, where that
//    cannot be made, its longest reachable prefix pair (§2.3): the first i source words made into
//    the first j target words.
// Scores that look at two phrases (reordering models, pairs of rules) are sums over pairs of
// edges that meet in a node, so they need no larger nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "decode/coverage.hh"
#include "decode/rule_cache.hh"
#include "decode/rule_filter.hh"

namespace tunesmith::decode {

struct ForcedOptions {
  int distortion_limit = 6;
  // Longer source sentences are not tried.
  int max_words = 100;
  // A pair that needs more nodes is given up.
  std::size_t max_nodes = 1'000'000;
  // Seconds for a pair; 0 means no limit, the only value that makes results reproducible.
  double time_limit = 0.0;
  // Least source words of a prefix pair; 0: only whole pairs.
  int min_prefix = 5;
  LeaveOut leave_out = LeaveOut::kNothing;
  bool drop_unknown = false;
  // Keep derivations of a beginning of the reference that cannot be completed.
  bool dead_ends = false;
  // Tell of all reachable prefix pairs, not of the longest alone.
  bool list_prefixes = false;
};

// The first words of both sides of a pair; none: the whole pair, or as much of it as is reachable.
struct PrefixPair {
  std::uint32_t source = 0, target = 0;
};

struct GoldNode {
  Coverage coverage;
  std::uint32_t target = 0;  // words of the reference made so far
  std::uint16_t last_end = 0;
  std::uint16_t covered = 0;
  std::uint32_t first_edge = 0, end_edge = 0;  // edges into the node
};

struct GoldEdge {
  std::uint32_t tail = 0, head = 0;
  std::uint32_t rule = grammar::kNoRule;  // kNoRule: unknown words, copied or dropped
  std::uint16_t begin = 0, end = 0;
  std::uint16_t table = 0;
  std::uint16_t without = 0;  // bits of joined tables that do not count for the rule
};

enum class ForcedStop : std::uint8_t { kNone, kLength, kNodes, kTime };

struct GoldLattice {
  // By number of covered words; node 0 is the start, the last one the goal. Empty where no goal
  // was reached.
  std::vector<GoldNode> nodes;
  std::vector<GoldEdge> edges;  // those into a node stand together, in the order of the nodes
  int source_words = 0, target_words = 0;  // of the pair, or of its prefix
  bool whole = false;                      // the goal is the whole pair
  ForcedStop stopped = ForcedStop::kNone;
  double derivations = 0.0;          // that reach the goal; exact below 2^53
  std::vector<PrefixPair> prefixes;  // where they are listed and the whole pair is not reachable
  std::uint64_t visited = 0;         // nodes looked at

  bool empty() const { return nodes.empty(); }
};

class ForcedSearch {
 public:
  ForcedSearch(const PhraseModel& model, const ForcedOptions& options);

  // The result is valid until the next call.
  const GoldLattice& run(const TrainingPair& pair);
  // With a `prefix` that is the goal, and nothing else.
  const GoldLattice& run(const TrainingPair& pair, const RuleFilter& filter,
                         PrefixPair prefix = {});

 private:
  // A rule whose words stand in the reference.
  struct Match {
    std::uint32_t rule = grammar::kNoRule;
    std::uint32_t target = 0;  // first word in the reference
    std::uint16_t begin = 0, end = 0, target_size = 0, table = 0, without = 0;
  };
  struct Found {
    std::uint32_t tail, head, match;
  };

  void match_rules(const TrainingPair& pair, const RuleFilter& filter);
  void match_rule(int table, std::uint64_t rule, int begin, int end, const RuleFilter& filter);
  bool explore(int distortion_limit);
  std::uint32_t find_or_add(const GoldNode& node);
  // The nodes that make up the goal; none where there is no goal.
  std::vector<std::uint32_t> choose_goal(bool prefixes_too);
  // The nodes that cover the first words and nothing else, and have made some of the target.
  std::vector<std::uint32_t> prefix_ends(int covered) const;
  void list_prefixes();
  void keep_what_leads_to(const std::vector<std::uint32_t>& goals);

  const PhraseModel& model_;
  ForcedOptions options_;
  int words_ = 0, target_size_ = 0;
  std::vector<bool> unknown_;  // words that may only be copied, and keep their order
  std::vector<Match> matches_;
  std::vector<std::uint32_t> places_;       // scratch
  std::vector<std::uint32_t> match_begin_;  // [source word × (target words + 1) + position]
  std::vector<std::vector<std::uint32_t>> first_at_;  // [table][target word] position + 1
  std::vector<std::vector<std::uint32_t>> next_at_;   // [table][position] position + 1
  std::vector<GoldNode> nodes_;
  std::vector<Found> found_;
  std::vector<std::vector<std::uint32_t>> bins_;
  std::vector<std::uint32_t> slots_;
  GoldLattice lattice_;
};

}  // namespace tunesmith::decode
