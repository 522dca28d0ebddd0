// The best good partial derivations under given weights (Yu et al. 2013, equation 3), from the
// lattice of forced decoding.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "decode/forced/forced_search.hh"
#include "decode/lexical/lexical_keys.hh"
#include "decode/pair_worth.hh"
#include "learn/update_rules.hh"

namespace tunesmith::learn {

class GoldScores {
 public:
  // All arguments must outlive this. `weights` as the decoder takes them; `lexical` may be null;
  // `change`, where given, is added to the score of a rule.
  GoldScores(const decode::PhraseModel& model, std::span<const double> weights,
             const decode::GoldLattice& lattice, const std::vector<std::string>& source,
             const std::vector<std::string>& target, decode::LexicalKeys* lexical,
             const std::function<double(const decode::GoldEdge&)>& change = {});

  static constexpr std::uint32_t kNoEdge = 0xFFFFFFFF;

  // The last edge of the best derivation that covers `words` source words, or kNoEdge.
  std::uint32_t best_edge(int words) const { return best_of_bin_[words]; }
  double score(std::uint32_t edge) const { return best_[edge]; }
  // Adds the good derivations' part of every bin.
  void read(std::span<UpdateBin> bins) const;
  // The edges of the best derivation that ends with `edge`, first to last.
  std::vector<std::uint32_t> derivation(std::uint32_t edge) const;

  // Adds the dense feature values of a derivation; that of lexical features is left out.
  void add_features(const std::vector<std::uint32_t>& edges, double* features) const;
  // Appends the keys of its lexical features.
  void add_keys(const std::vector<std::uint32_t>& edges, std::vector<std::uint64_t>& keys) const;

 private:
  // What a rule is worth at a span, wherever in the target.
  struct Phrase : decode::PhraseRule {
    double score = 0.0;
    std::uint64_t id = 0;
    decode::LastPhrase last;  // what the next phrase sees of it
  };

  void read_language_models();
  void read_phrases(const std::function<double(const decode::GoldEdge&)>& change);
  void find_best();
  // w · h of two phrases side by side; `last` kNoEdge: the start of the sentence.
  double pair_score(std::uint32_t last, std::uint32_t edge);
  double language_model(int m, const decode::GoldEdge& edge) const;

  const decode::PhraseModel& model_;
  std::span<const double> weights_;
  const decode::GoldLattice& lattice_;
  const std::vector<std::string>&source_, &target_;
  decode::LexicalKeys* lexical_;
  std::vector<std::vector<double>> lm_;  // [model][position] natural log of the words before it
  decode::PairWorth pair_;
  decode::Arena arena_;
  std::vector<Phrase> phrases_;
  std::vector<std::uint32_t> phrase_of_;  // [edge]
  std::vector<std::uint64_t> target_atoms_, keys_;
  std::vector<double> best_;
  std::vector<std::uint32_t> back_, best_of_bin_;
};

}  // namespace tunesmith::learn
