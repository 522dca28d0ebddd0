// Rules under given weights: what each is worth alone, and its target side as language models read
// it. Rules are made ready when a chart first needs them.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/string_index.hh"
#include "decode/chart/chart_input.hh"
#include "decode/chart/chart_model.hh"
#include "decode/chart/forbidden_reader.hh"
#include "decode/chart/rule_trie.hh"
#include "features/scfg/grammar_features.hh"
#include "features/scfg/named_weights.hh"
#include "lm/fragment.hh"

namespace tunesmith::decode {

// The words of a grammar's target side as language models know them.
class TargetWords {
 public:
  TargetWords(const StringIndex& words, const ChartModel& model);
  lm::ClassedWord of(int m, std::uint32_t word) const { return words_[m][word]; }

 private:
  std::vector<std::vector<lm::ClassedWord>> words_;  // by language model
};

// A grammar as a chart sees it. What is behind the references must outlive the search.
struct ChartGrammar {
  const grammar::ScfgRules& rules;
  const RuleTrie& trie;
  const StringIndex& source_words;
  const StringIndex& target_words;
  const TargetWords& lm_words;
  int labels = 1;
  int default_label = 0;  // of words that are passed through
  // Which feature of the model each feature of a rule is.
  std::span<const std::uint32_t> columns;
  // Sparse features of the rules, and their weights in a search; null: there are none.
  const features::GrammarFeatures* sparse = nullptr;
  const features::NamedWeights* sparse_weights = nullptr;
};

// No rule of the grammar.
enum SpecialRule : std::int32_t {
  kFirstGlue = -1,
  kGlue = -2,
  kGoal = -3,
  kPassThrough = -4,
  kPrescribed = -5,
};

struct ScoredRule {
  std::int32_t rule = 0;      // of the grammar, or a SpecialRule
  std::int32_t input = -1;    // of a copy, the edge of the input
  std::int32_t label = 0;     // of the left-hand side
  std::uint32_t symbols = 0;  // where its target side begins
  std::uint32_t size = 0;     // how many symbols it has …
  std::uint32_t words = 0;    // … and how many of them are words
  std::uint32_t unknown = 0;  // how many unknown words of the input it passes through
  std::uint32_t watched = 0;  // where it begins among those that are watched
  double own = 0.0;           // w · h of the rule alone
  double estimate = 0.0;      // the same and what language models say of its words alone
};

// Of a copy: what it makes of its edge, which is nothing where that is left out.
inline std::span<const std::string> copied_words(const ScoredRule& rule, const ChartInput& input) {
  return std::span(input.edges[rule.input].copy).first(rule.size);
}

class ScoredRules {
 public:
  // The model must outlive this.
  ScoredRules(const ChartModel& model, std::span<const double> weights);

  // Forgets all rules, and takes those of another grammar; with `forbidden` only those that have no
  // such phrase.
  void begin(const ChartGrammar& grammar, int rule_limit,
             const ForbiddenPhrases* forbidden = nullptr);
  // The rules of a node of the trie by label, best first: [begin, end).
  std::pair<std::uint32_t, std::uint32_t> rules(std::uint32_t node);
  // Whether a node has any.
  bool has_rules(std::uint32_t node) {
    if (forbidden_ == nullptr) return !grammar_->trie.rules(node).empty();
    const auto [begin, end] = rules(node);
    return begin < end;
  }
  const ScoredRule& operator[](std::uint32_t rule) const { return rules_[rule]; }
  // A rule that makes these words of an edge of the input (kPassThrough or kPrescribed).
  std::uint32_t copy(SpecialRule kind, std::int32_t input, std::span<const std::string> words,
                     int unknown);
  // A rule of one tail (kFirstGlue, kGoal) or two (kGlue), without words.
  std::uint32_t glue(SpecialRule kind);

  // The target side for language model `m`: words of the model, or places of non-terminals.
  std::span<const grammar::Symbol> symbols(const ScoredRule& rule, int m) const {
    return std::span(symbols_[m]).subspan(rule.symbols, rule.size);
  }
  double lm_weight(int m) const { return lm_weights_[m]; }
  // What a word of a lattice is worth by its scores.
  double arc_score(std::span<const float> scores) const {
    return std::inner_product(scores.begin(), scores.end(), weights_.begin() + model_.arc_begin(),
                              0.0);
  }
  // What language model `m` says of the target side around these tails: the change of their scores,
  // and the state of the whole.
  lm::Scorer read(const ScoredRule& rule, int m, const lm::Fragment* const (&tails)[2],
                  bool ends_sentence) const {
    lm::Scorer scorer(model_.language_model(m));
    if (rule.rule == kFirstGlue) scorer.begin_sentence();
    for (const grammar::Symbol symbol : symbols(rule, m)) {
      if (grammar::is_nonterminal(symbol))
        scorer.fragment(tails[grammar::label_or_place(symbol)][m]);
      else
        scorer.word(static_cast<lm::WordId>(symbol));
    }
    if (rule.rule == kGoal && ends_sentence) scorer.word(lm::kEnd);
    return scorer;
  }

  // Looks for forbidden phrases in the target side around these tails.
  ForbiddenReader watch(const ScoredRule& rule, const lm::Fragment* const (&tails)[2]) const;

  // Sets `out` to the features of the rule alone, one value for each dense feature of the model.
  void features(const ScoredRule& rule, std::span<double> out) const;

 private:
  struct Range {
    std::uint32_t begin = 0, end = 0;
    bool known = false;
  };
  struct Watched {
    bool is_place;
    std::uint32_t word;  // or the place
  };
  void append_word(std::string_view word);
  void append_word(int m, lm::ClassedWord word) {
    symbols_[m].push_back(static_cast<grammar::Symbol>(word.id));
    own_log10_[m].push_back(word.log10);
  }
  // Whether the target side of a rule of the grammar has no forbidden phrase between its gaps.
  bool is_allowed(std::uint32_t rule) const;
  std::uint32_t watched_word(std::string_view word) const { return forbidden_->word(word); }
  std::uint32_t finish(ScoredRule rule, double sparse_score = 0.0);
  // Sets sparse_scores_ to w · h of the sparse features of rules with the same source side; empties
  // it where there are none.
  void score_sparse(std::span<const std::uint32_t> rules);
  double estimate(const ScoredRule& rule) const;

  const ChartModel& model_;
  std::vector<double> weights_;
  std::vector<double> lm_weights_;  // of log10
  const ChartGrammar* grammar_ = nullptr;
  int rule_limit_ = 0;
  const ForbiddenPhrases* forbidden_ = nullptr;
  std::vector<Range> ranges_;       // by node
  std::vector<std::uint32_t> met_;  // nodes that have a range: a sentence needs few of all
  std::vector<ScoredRule> rules_;
  // By language model: the target sides, and what a class-based model says of a word in its class.
  std::vector<std::vector<grammar::Symbol>> symbols_;
  std::vector<std::vector<float>> own_log10_;
  // Where phrases are forbidden: the target sides again, as words of theirs or places.
  std::vector<Watched> watched_;
  std::vector<double> scratch_;
  features::FeatureScratch feature_scratch_;
  std::vector<features::RuleFeature> sparse_;
  std::vector<std::size_t> sparse_ends_;
  std::vector<double> sparse_scores_;
};

}  // namespace tunesmith::decode
