#include "learn/forced_counts.hh"

#include <cmath>
#include <memory>

#include "decode/forced/forced_decoder.hh"
#include "engine/parallel.hh"
#include "learn/gold_scores.hh"

namespace tunesmith::learn {
namespace {

constexpr int kSourceGivenTarget = 0, kTargetGivenSource = 2;
// log β of a word of a phrase pair that no other sentence pair has.
constexpr double kUnseenWord = -5.0;

// Scores of rules as if the pair had not been in the training set.
class HeldOutScores {
 public:
  HeldOutScores(const decode::PhraseModel& model, std::span<const double> weights,
                const decode::TrainingPair& pair)
      : model_(model), weights_(weights), filter_(decode::LeaveOut::kOwn, model, pair) {}

  // What the rule's own scores are worth more or less because the pair is held out.
  double change(const decode::GoldEdge& edge) const {
    const decode::TableGroup group = model_.group_of(edge.table);
    const auto pair = model_.pair_rules(edge.table, edge.rule);
    double total = 0.0;
    for (int t = group.begin; t < group.end; ++t)
      if (pair[t - group.begin] != grammar::kNoRule) total += change(t, pair[t - group.begin]);
    return total;
  }

 private:
  double change(int t, std::uint32_t rule) const {
    const grammar::PhraseTable& table = model_.table(t);
    const std::uint64_t source = table.source_of(rule);
    if (!filter_.is_own(t, table.key(source), rule)) return 0.0;
    const float* counts = table.counts(rule);
    const double unseen =
        kUnseenWord * static_cast<double>(table.source(source).size() + table.target(rule).size());
    const auto held_out = [&](float given) {
      return counts[2] > 1.0F ? std::log((counts[2] - 1.0) / (given - 1.0)) : unseen;
    };
    const double* weights = weights_.data() + model_.table_begin(t);
    const float* scores = table.scores(rule);
    return weights[kSourceGivenTarget] * (held_out(counts[0]) - scores[kSourceGivenTarget]) +
           weights[kTargetGivenSource] * (held_out(counts[1]) - scores[kTargetGivenSource]);
  }

  const decode::PhraseModel& model_;
  std::span<const double> weights_;
  decode::RuleFilter filter_;
};

}  // namespace

ForcedCounts forced_counts(const decode::PhraseModel& model, std::span<const double> weights,
                           const decode::TrainingText& pairs, const decode::ForcedOptions& options,
                           int threads, const std::function<void(std::size_t)>& done) {
  if (weights.size() != model.weights())
    throw OptionError(std::to_string(weights.size()) + " weights for " +
                      std::to_string(model.weights()) + " features");
  for (int t = 0; t < model.tables(); ++t)
    if (model.table(t).scores_per_rule() <= kTargetGivenSource)
      throw OptionError("a phrase table without the scores that extraction gives");
  decode::check_links(model, pairs);
  struct Used {
    std::vector<std::uint32_t> rules;
    bool whole = false, any = false;
  };
  std::vector<Used> used(pairs.size());
  std::vector<std::unique_ptr<decode::ForcedSearch>> workers(engine::resolve_threads(threads));
  engine::parallel_for_worker(
      pairs.size(), threads,
      [&](std::size_t p, int w) {
        if (!workers[w]) workers[w] = std::make_unique<decode::ForcedSearch>(model, options);
        const decode::TrainingPair pair = pairs[p];
        const decode::GoldLattice& lattice = workers[w]->run(pair, decode::RuleFilter());
        if (!lattice.empty()) {
          const HeldOutScores held_out(model, weights, pair);
          const GoldScores gold(
              model, weights, lattice, pair.source, pair.target, nullptr,
              [&](const decode::GoldEdge& edge) { return held_out.change(edge); });
          used[p].any = true;
          used[p].whole = lattice.whole;
          for (const std::uint32_t e : gold.derivation(gold.best_edge(lattice.source_words)))
            if (lattice.edges[e].rule != grammar::kNoRule && lattice.edges[e].table == 0)
              used[p].rules.push_back(lattice.edges[e].rule);
        }
        if (done) done(1);
      },
      16);
  ForcedCounts out;
  out.counts.assign(model.table(0).rules(), 0);
  for (const Used& one : used) {
    ++(one.whole ? out.whole : one.any ? out.prefixes : out.without);
    for (const std::uint32_t rule : one.rules) ++out.counts[rule];
  }
  return out;
}

}  // namespace tunesmith::learn
