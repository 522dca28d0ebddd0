#include "learn/violation_update.hh"

#include <algorithm>
#include <bit>
#include <optional>

#include "learn/expected_update.hh"
#include "learn/gold_scores.hh"
#include "metrics/gain.hh"

namespace tunesmith {
namespace {

constexpr int kBad = -1;

// The states of a beam search by bin, and which of them have made the beginning of the reference.
class Beam {
 public:
  Beam(const PhraseModel& model, const SearchGraph& graph, int words,
       std::span<const std::string> target)
      : model_(model), graph_(graph), bins_(words + 1) {
    made_.assign(graph.states.size(), kBad);
    if (!made_.empty()) made_[0] = 0;
    for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
      const SearchState& state = graph.states[s];
      const int covered = state.coverage.gap + std::popcount(state.coverage.ahead);
      bins_[covered].push_back(s);
      if (s > 0) made_[s] = made_by(graph.edges[state.best], target);
      // A complete derivation is good only if it has made all.
      if (covered == words && made_[s] != static_cast<int>(target.size())) made_[s] = kBad;
    }
  }

  bool has_good(int bin) const {
    return std::any_of(bins_[bin].begin(), bins_[bin].end(),
                       [&](std::uint32_t s) { return made_[s] != kBad; });
  }
  bool is_good(std::uint32_t state) const { return made_[state] != kBad; }
  // The best state of a bin by its score so far, of all or of the bad ones; or kNone.
  std::uint32_t best(int bin, bool bad_only) const {
    std::uint32_t best = kNone;
    for (const std::uint32_t s : bins_[bin])
      if ((!bad_only || made_[s] == kBad) &&
          (best == kNone || graph_.states[s].score > graph_.states[best].score))
        best = s;
    return best;
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
  int made_by(const SearchEdge& edge, std::span<const std::string> target) {
    const int before = made_[edge.tail];
    if (before == kBad || before + edge.rule->target_size > static_cast<int>(target.size()))
      return kBad;
    words_.clear();
    append_words(model_, *edge.rule, words_);
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != target[before + i]) return kBad;
    return before + edge.rule->target_size;
  }

  const PhraseModel& model_;
  const SearchGraph& graph_;
  std::vector<std::vector<std::uint32_t>> bins_;
  std::vector<int> made_;  // target words of the reference, or kBad
  std::vector<std::string_view> words_;
};

void set_difference(ViolationUpdate& update, const PhraseModel& model, std::vector<double>& good,
                    const std::vector<double>& bad, std::vector<std::uint64_t>& good_keys,
                    std::vector<std::uint64_t>& bad_keys) {
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

// The soft early update: the first of as many bins without good states as a phrase is long; then no
// phrase can lead from a good state before them to one behind. 0 where there is no such place.
int early_bin(const Beam& beam, const GoldScores& gold, int words, int phrase_length) {
  int without = 0;
  for (int bin = 1; bin <= words; ++bin) {
    without = beam.has_good(bin) ? 0 : without + 1;
    if (without == phrase_length || (bin == words && without > 0)) {
      int first = bin - without + 1;
      while (first < bin &&
             (gold.best_edge(first) == GoldScores::kNoEdge || beam.best(first, true) == kNone))
        ++first;
      return first;
    }
  }
  return 0;
}

}  // namespace

ViolationUpdate violation_update(const PhraseModel& model, std::span<const double> weights,
                                 const ViolationOptions& options, const TrainingPair& pair,
                                 ForcedSearch& forced, RuleCache& cache, PhraseSearch& search) {
  ViolationUpdate update;
  const RuleFilter filter(options.forced.leave_out, model, pair.source, pair.target, pair.links,
                          pair.has_links);
  const bool whole_pair = options.method == UpdateMethod::kExpected;
  const GoldLattice* lattice = whole_pair ? nullptr : &forced.run(pair, filter);
  if (lattice != nullptr && lattice->empty()) return update;

  const auto source_words = static_cast<int>(pair.source.size());
  const int words = update.words = lattice != nullptr ? lattice->source_words : source_words;
  SourceSentence sentence;
  sentence.words.assign(pair.source.begin(), pair.source.begin() + words);
  if (lattice != nullptr && !lattice->whole)
    sentence.after = words < source_words ? pair.source[words] : "</s>";
  const std::string* after = sentence.after ? &*sentence.after : nullptr;
  const PhraseOptions choices(cache, options.search, sentence, &filter);
  const SearchGraph& graph = search.run(choices, sentence);
  if (graph.goal == kNone) return update;

  std::optional<LexicalKeys> lexical;
  if (model.lexical() != nullptr) lexical.emplace(model, sentence.words, after);
  LexicalKeys* keys = lexical ? &*lexical : nullptr;
  const BeamFeatures features(model, graph, keys);
  const std::span<const std::string> target(
      pair.target.data(), lattice != nullptr ? lattice->target_words : pair.target.size());
  const Beam beam(model, graph, words, target);
  update.reached = beam.is_good(graph.goal);
  if (whole_pair) {
    expected_update(update, model, weights, options.expected, target, graph, features);
    return update;
  }
  const GoldScores gold(model, weights, *lattice, pair.source, pair.target, keys);

  std::vector<double> good_dense(model.features(), 0.0), bad_dense(model.features(), 0.0);
  std::vector<std::uint64_t> good_keys, bad_keys;
  const auto violation_at = [&](int bin, std::uint32_t bad) {
    return graph.states[bad].score - gold.score(gold.best_edge(bin));
  };
  const auto update_at = [&](int bin, std::uint32_t bad) {
    update.violation = violation_at(bin, bad);
    if (options.max_violation > 0.0 && update.violation > options.max_violation) {
      update.outcome = UpdateOutcome::kTooFar;
      return;
    }
    update.bin = bin;
    update.outcome =
        update.violation < -options.margin ? UpdateOutcome::kInvalid : UpdateOutcome::kUpdated;
    const auto good = gold.derivation(gold.best_edge(bin));
    gold.add_features(good, good_dense.data());
    gold.add_keys(good, good_keys);
    features.add(beam.derivation(bad), bad_dense.data(), bad_keys);
    set_difference(update, model, good_dense, bad_dense, good_keys, bad_keys);
  };

  update.outcome = UpdateOutcome::kSolved;
  switch (options.method) {
    case UpdateMethod::kMaxViolation: {
      int at = 0;
      std::uint32_t state = kNone;
      double most = -options.margin;
      for (int bin = 1; bin <= words; ++bin) {
        if (gold.best_edge(bin) == GoldScores::kNoEdge) continue;
        const std::uint32_t bad = beam.best(bin, true);
        if (bad == kNone || violation_at(bin, bad) <= most) continue;
        most = violation_at(bin, bad);
        at = bin;
        state = bad;
      }
      if (at > 0) {
        update_at(at, state);
      } else if (!update.reached) {
        update.outcome = UpdateOutcome::kInvalid;  // lost in the beam, yet nowhere worse: no update
      }
      break;
    }
    case UpdateMethod::kEarly: {
      const int bin = early_bin(beam, gold, words, choices.max_length());
      if (bin > 0) {
        const std::uint32_t bad = beam.best(bin, true);
        if (bad != kNone && gold.best_edge(bin) != GoldScores::kNoEdge) update_at(bin, bad);
      } else if (!update.reached) {
        update_at(words, graph.goal);
      }
      break;
    }
    case UpdateMethod::kStandard:
      if (!update.reached) update_at(words, graph.goal);
      break;
    case UpdateMethod::kLocal: {
      if (update.reached) break;
      const BleuGain gain(4, BleuSmoothing::kAddK, 1.0);
      const auto list = beam_list(model, graph, target, options.search.stack_size);
      std::size_t best = 0;
      for (std::size_t k = 1; k < list.size(); ++k)
        if (gain(list[k].stats.data()) > gain(list[best].stats.data())) best = k;
      if (best == 0) break;  // the best translation of the beam is its first
      update.bin = words;
      update.outcome = UpdateOutcome::kUpdated;
      features.add(list[best].edges, good_dense.data(), good_keys);
      features.add(beam.derivation(graph.goal), bad_dense.data(), bad_keys);
      for (std::size_t i = 0; i < good_dense.size(); ++i)
        update.violation += weights[i] * (bad_dense[i] - good_dense[i]);
      set_difference(update, model, good_dense, bad_dense, good_keys, bad_keys);
      break;
    }
    case UpdateMethod::kExpected:
      break;  // has been made without good derivations
  }
  return update;
}

}  // namespace tunesmith
