// Templates of lexical features (Yu et al. 2013, §4): from a rule, its place in the source and what
// comes before it to the keys of features.
//
// Rule ids name a phrase pair by its words. WordEdges combine the length of the source phrase, the
// first and last words of both sides, and the source words just before and after, each at some
// level of detail; a combination costs the sum of its levels and must stay within a budget.
// Non-local features look at the rule before: pairs of rule ids, and a rule id with the last two
// target words.
//
// A combination's key is the mixed sum of its atoms, each salted with its place and level, so that
// one addition and one mixing make a feature. Combinations of the rule alone, of the span alone and
// of both are kept apart: they are computed once a rule, once a span, once a rule in a span.
#pragma once

#include <cstdint>
#include <vector>

#include "features/word_atoms.hh"

namespace tunesmith::features {

struct LexicalOptions {
  std::vector<AtomLevel> levels;
  std::vector<int> costs;  // one for each level
  // Bit i: level i is one of source words alone.
  std::uint32_t source_only = 0;
  int budget = 10;
  // Most atoms in a combination; the length is one. 0: as many as the budget allows.
  int max_atoms = 2;
  bool rule_ids = true;
  bool edges = true;
  // Combinations without a target word: they judge how the source is cut, not how it is translated.
  bool source_edges = true;
  bool rule_pairs = false;
  bool history = false;
};

// The words of a phrase pair: hashes at all levels (null where a side has no words).
struct RuleWords {
  std::uint64_t id = 0;
  int source_length = 0;
  const std::uint64_t* source_first = nullptr;
  const std::uint64_t* source_last = nullptr;
  const std::uint64_t* target_first = nullptr;
  const std::uint64_t* target_last = nullptr;
};

// The source words around a span.
struct SpanContext {
  const std::uint64_t* before = nullptr;
  const std::uint64_t* after = nullptr;
};

class LexicalTemplates {
 public:
  // Where the words of a combination stand.
  enum Place { kSourceFirst, kSourceLast, kTargetFirst, kTargetLast, kBefore, kAfter, kPlaces };
  // What a combination looks at: a word at a level, or (place kPlaces) the length of the source.
  struct Atom {
    int place, level;
  };
  enum class Part { kRule, kSpan, kContext };

  explicit LexicalTemplates(LexicalOptions options);

  const LexicalOptions& options() const { return options_; }
  // Whether the words around a span matter, and whether the rule before does.
  bool sees_context() const {
    return !span_.combinations.empty() || !context_.combinations.empty();
  }
  bool sees_history() const { return options_.rule_pairs || options_.history; }
  // Features that a rule has at most.
  std::size_t features_per_rule() const;

  // Each appends keys.
  void rule_keys(const RuleWords& rule, std::vector<std::uint64_t>& keys) const;
  void span_keys(const RuleWords& rule, const SpanContext& context,
                 std::vector<std::uint64_t>& keys) const;
  void context_keys(const RuleWords& rule, const SpanContext& context,
                    std::vector<std::uint64_t>& keys) const;
  // The combinations behind the keys of a part, in their order; a rule's id goes before them.
  std::vector<std::vector<Atom>> combinations(Part part) const;

  // `before` and `last` are the last two target words before the rule. The pair of rules goes
  // before the levels of words.
  void history_keys(const RuleWords& rule, std::uint64_t last_rule, const std::uint64_t* before,
                    const std::uint64_t* last, std::vector<std::uint64_t>& keys) const;
  const std::vector<int>& history_levels() const { return history_levels_; }

 private:
  static constexpr int kMaxAtoms = kPlaces + 1;
  struct Combination {
    std::uint8_t size = 0;
    std::uint8_t atoms[kMaxAtoms] = {};
  };

  // Combinations that are computed together, and the places that they look at.
  struct Group {
    std::vector<Combination> combinations;
    bool sees[kPlaces] = {};
  };

  std::uint8_t atom(int place, int level) const {
    return static_cast<std::uint8_t>(place * levels_ + level);
  }
  bool has(int place, int level) const {
    const bool target = place == kTargetFirst || place == kTargetLast;
    return !target || (options_.source_only >> level & 1) == 0;
  }
  int place_of(int atom) const { return levels_ == 0 ? kPlaces : atom / levels_; }
  void enumerate(int place, int cost, Combination& taken);
  void add_keys(const Group& group, const RuleWords& rule, const SpanContext& context,
                std::vector<std::uint64_t>& keys) const;

  LexicalOptions options_;
  int levels_, max_atoms_;
  std::vector<std::uint64_t> salts_;  // of every atom
  std::vector<std::uint64_t> nothing_;
  Group rule_, span_, context_;
  std::vector<int> history_levels_;
};

}  // namespace tunesmith::features
