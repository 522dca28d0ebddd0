#include "learn/violation_update.hh"

#include <algorithm>
#include <bit>
#include <optional>

#include "learn/expected_update.hh"
#include "learn/gold_scores.hh"
#include "learn/ranking_update.hh"
#include "learn/update_rules.hh"
#include "metrics/gain.hh"

namespace tunesmith::learn {
namespace {

constexpr int kBad = -1;

// The states of a beam search by bin, and which of them have made the beginning of the reference.
class Beam {
 public:
  Beam(const decode::PhraseModel& model, const decode::SearchGraph& graph, int words,
       std::span<const std::string> target)
      : model_(model), graph_(graph), bins_(words + 1) {
    made_.assign(graph.states.size(), kBad);
    if (!made_.empty()) made_[0] = 0;
    for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
      const decode::SearchState& state = graph.states[s];
      const int covered = state.coverage.gap + std::popcount(state.coverage.ahead);
      bins_[covered].push_back(s);
      if (s > 0) made_[s] = made_by(graph.edges[state.best], target);
      // A complete derivation is good only if it has made all.
      if (covered == words && made_[s] != static_cast<int>(target.size())) made_[s] = kBad;
    }
  }

  bool is_good(std::uint32_t state) const { return made_[state] != kBad; }
  // Adds the beam's part of every bin.
  void read(std::span<UpdateBin> bins) const {
    for (std::size_t i = 0; i < bins_.size(); ++i)
      for (const std::uint32_t s : bins_[i]) {
        const double score = graph_.states[s].score;
        if (is_good(s)) {
          bins[i].survives = true;
        } else if (bins[i].bad == UpdateBin::kNobody || score > bins[i].bad_score) {
          bins[i].bad = s;
          bins[i].bad_score = score;
        }
      }
  }
  std::vector<std::uint32_t> derivation(std::uint32_t state) const {
    std::vector<std::uint32_t> edges;
    while (state != 0) {
      edges.push_back(graph_.states[state].best);
      state = graph_.edges[edges.back()].tail;
    }
    std::reverse(edges.begin(), edges.end());
    return edges;
  }

 private:
  int made_by(const decode::SearchEdge& edge, std::span<const std::string> target) {
    const int before = made_[edge.tail];
    if (before == kBad || before + edge.rule->target_size > static_cast<int>(target.size()))
      return kBad;
    words_.clear();
    decode::append_words(model_, *edge.rule, words_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != target[before + i]) return kBad;
    return before + edge.rule->target_size;
  }

  const decode::PhraseModel& model_;
  const decode::SearchGraph& graph_;
  std::vector<std::vector<std::uint32_t>> bins_;
  std::vector<int> made_;  // target words of the reference, or kBad
  std::vector<std::string_view> words_;
};

void set_difference(ViolationUpdate& update, const decode::PhraseModel& model,
                    std::vector<double>& good, const std::vector<double>& bad,
                    std::vector<std::uint64_t>& good_keys, std::vector<std::uint64_t>& bad_keys) {
  for (std::size_t i = 0; i < good.size(); ++i) good[i] -= bad[i];
  // What lexical features are worth together is no feature to learn.
  if (model.lexical() != nullptr) good[model.lexical_index()] = 0.0;
  update.dense = std::move(good);
  std::sort(good_keys.begin(), good_keys.end());
  std::sort(bad_keys.begin(), bad_keys.end());
  auto g = good_keys.begin();
  auto b = bad_keys.begin();
  while (g != good_keys.end() || b != bad_keys.end()) {
    const std::uint64_t key = b == bad_keys.end() || (g != good_keys.end() && *g < *b) ? *g : *b;
    int change = 0;
    for (; g != good_keys.end() && *g == key; ++g) ++change;
    for (; b != bad_keys.end() && *b == key; ++b) --change;
    if (change != 0) update.sparse.push_back({key, static_cast<float>(change)});
  }
}

// Equation (9): the translation of the beam that is most like the reference, by BLEU+1.
std::size_t most_like_reference(const std::vector<BeamTranslation>& list) {
  const metrics::BleuGain gain(4, metrics::BleuSmoothing::kAddK, 1.0);
  std::size_t best = 0;
  for (std::size_t k = 1; k < list.size(); ++k)
    if (gain(list[k].stats.data()) > gain(list[best].stats.data())) best = k;
  return best;
}

}  // namespace

ViolationUpdate violation_update(const decode::PhraseModel& model, std::span<const double> weights,
                                 const ViolationOptions& options, const decode::TrainingPair& pair,
                                 decode::PrefixPair prefix, decode::ForcedSearch& forced,
                                 decode::RuleCache& cache, decode::PhraseSearch& search) {
  ViolationUpdate update;
  const decode::RuleFilter filter(options.forced.leave_out, model, pair);
  const bool whole_pair =
      options.method == UpdateMethod::kExpected || options.method == UpdateMethod::kRanking;
  const decode::GoldLattice* lattice = whole_pair ? nullptr : &forced.run(pair, filter, prefix);
  if (lattice != nullptr && lattice->empty()) return update;

  const auto source_words = static_cast<int>(pair.source.size());
  const int words = update.words = lattice != nullptr ? lattice->source_words : source_words;
  decode::SourceSentence sentence;
  sentence.words.assign(pair.source.begin(), pair.source.begin() + words);
  if (lattice != nullptr && !lattice->whole)
    sentence.after = words < source_words ? pair.source[words] : "</s>";
  const std::string* after = sentence.after ? &*sentence.after : nullptr;
  const decode::PhraseOptions choices(cache, options.search, sentence, &filter);
  const decode::SearchGraph& graph = search.run(choices, sentence);
  if (graph.goal == decode::kNone) return update;

  std::optional<decode::LexicalKeys> lexical;
  if (model.lexical() != nullptr) lexical.emplace(model, sentence.words, after);
  decode::LexicalKeys* keys = lexical ? &*lexical : nullptr;
  const BeamFeatures features(model, graph, keys);
  const std::span<const std::string> target(
      pair.target.data(), lattice != nullptr ? lattice->target_words : pair.target.size());
  const Beam beam(model, graph, words, target);
  update.reached = beam.is_good(graph.goal);
  if (whole_pair) {
    const auto find = options.method == UpdateMethod::kExpected ? expected_update : ranking_update;
    find(update, model, weights, options, target, graph, features);
    return update;
  }
  std::vector<double> good_dense(model.features(), 0.0), bad_dense(model.features(), 0.0);
  std::vector<std::uint64_t> good_keys, bad_keys;
  SparseVector named;  // is not learned here
  update.outcome = UpdateOutcome::kSolved;
  if (options.method == UpdateMethod::kLocal) {  // equation (10)
    if (update.reached) return update;
    const auto list = beam_list(model, graph, target, options.search.stack_size);
    const std::size_t best = most_like_reference(list);
    if (best == 0) return update;  // the best translation of the beam is its first
    update.bin = words;
    update.outcome = UpdateOutcome::kUpdated;
    features.add(list[best].edges, good_dense.data(), good_keys, named);
    features.add(beam.derivation(graph.goal), bad_dense.data(), bad_keys, named);
    for (std::size_t i = 0; i < good_dense.size(); ++i)
      update.violation += weights[i] * (bad_dense[i] - good_dense[i]);
    set_difference(update, model, good_dense, bad_dense, good_keys, bad_keys);
    return update;
  }

  const GoldScores gold(model, weights, *lattice, pair.source, pair.target, keys);
  std::vector<UpdateBin> bins(words + 1);
  gold.read(bins);
  beam.read(bins);
  const int at = update_bin(options.method, bins, choices.max_length(), options.margin);
  if (at == 0) {
    // Lost in the beam, yet nowhere worse: an update would be invalid, so there is none.
    if (!update.reached) update.outcome = UpdateOutcome::kInvalid;
    return update;
  }
  update.violation = bins[at].violation();
  if (options.max_violation > 0.0 && update.violation > options.max_violation) {
    update.outcome = UpdateOutcome::kTooFar;
    return update;
  }
  update.bin = at;
  update.outcome =
      bins[at].violates(options.margin) ? UpdateOutcome::kUpdated : UpdateOutcome::kInvalid;
  // Equations (5), (7), (8): ΔΦ(d⁺_i, d⁻_i).
  const auto good = gold.derivation(bins[at].good);
  gold.add_features(good, good_dense.data());
  gold.add_keys(good, good_keys);
  features.add(beam.derivation(bins[at].bad), bad_dense.data(), bad_keys, named);
  set_difference(update, model, good_dense, bad_dense, good_keys, bad_keys);
  return update;
}

}  // namespace tunesmith::learn
