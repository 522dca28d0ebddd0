#include "decode/chart/chart_session.hh"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hh"
#include "base/weight_limit.hh"
#include "base/words.hh"
#include "decode/chart/forced_chart.hh"
#include "decode/chart/listed_edges.hh"
#include "engine/parallel.hh"

namespace tunesmith::decode {

namespace {

struct Copying {
  bool drop_unknown;
  const ForbiddenPhrases* forbidden;
};

// The words [word, word + size) of a sentence or a lattice between two nodes.
InputEdge edge_of(const SourceSentence& sentence, int word, int size, int begin, int end,
                  Copying how) {
  InputEdge edge{begin, end, sentence.words[word], {}, false, false, {}, size};
  if (how.drop_unknown) return edge;
  for (int i = word; i < word + size; ++i) {
    if (sentence.copies.empty())
      edge.copy.push_back(sentence.words[i]);
    else
      for_each_word(sentence.copies[i],
                    [&](std::string_view copy) { edge.copy.emplace_back(copy); });
  }
  edge.forbidden_copy = how.forbidden != nullptr && !how.forbidden->allows(edge.copy);
  if (edge.forbidden_copy) edge.copy.clear();
  return edge;
}

void add_words(const SourceSentence& sentence, const std::vector<bool>& unknown, Copying how,
               ChartInput& input) {
  input.nodes = static_cast<int>(sentence.words.size()) + 1;
  const auto ends = unknown_run_ends(unknown, sentence);
  auto forced = sentence.forced.begin();
  for (int i = 0; i + 1 < input.nodes; i = input.edges.back().end) {
    if (forced != sentence.forced.end() && forced->begin == i) {
      input.edges.push_back({i, forced->end, {}, forced->target, false, true, {}});
      ++forced;
      continue;
    }
    input.edges.push_back(edge_of(sentence, i, ends[i] - i, i, ends[i], how));
    if (input.edges.back().forbidden_copy)  // word by word, less is forbidden
      input.edges.back() = edge_of(sentence, i, 1, i, i + 1, how);
  }
}

void add_arcs(const SourceSentence& lattice, Copying how, ChartInput& input) {
  input.is_lattice = true;
  input.nodes = lattice_nodes(lattice);
  for (std::size_t i = 0; i < lattice.arcs.size(); ++i) {
    const LatticeArc& arc = lattice.arcs[i];
    input.edges.push_back(edge_of(lattice, static_cast<int>(i), 1, arc.begin, arc.end, how));
    input.edges.back().scores = arc.scores;
  }
}

}  // namespace

ChartInput chart_input(const SourceSentence& sentence, const ChartOptions& options,
                       const StringIndex& source_words, const ForbiddenPhrases* forbidden) {
  ChartInput input;
  const Copying how{options.drop_unknown, forbidden};
  if (sentence.arcs.empty()) {
    std::vector<bool> unknown(sentence.words.size(), false);
    for (std::size_t i = 0; options.keep_unknown_order && i < unknown.size(); ++i)
      unknown[i] = source_words.find(sentence.words[i]) == StringIndex::kMissing;
    add_words(sentence, unknown, how, input);
  } else {
    add_arcs(sentence, how, input);
  }
  input.walls = sentence.walls;
  input.zones = sentence.zones;
  // Rules of a grammar keep the order of brackets, where these have no part in what they enclose.
  if (!sentence.target)
    for (const auto& [begin, end] : sentence.enclosures)
      input.zones.insert(input.zones.end(), {{begin, end}, {begin + 1, end - 1}});
  input.goes_on = sentence.after.has_value();
  return input;
}

ChartSession::ChartSession(const ChartModel& model, std::span<const double> weights,
                           std::shared_ptr<const features::NamedWeights> sparse,
                           const ChartOptions& options)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      sparse_(std::move(sparse)),
      options_(options) {
  if (weights.size() != static_cast<std::size_t>(model.features()))
    throw OptionError(std::to_string(weights.size()) + " weights for " +
                      std::to_string(model.features()) + " features");
  check_weights(weights);
}

void ChartSession::search(const std::vector<SourceSentence>& sentences,
                          const LoadedGrammars& grammars, const KBestOptions* lists, int threads,
                          const std::function<void(std::size_t, Searched&&)>& take) const {
  struct Worker {
    ChartSearch search;
    ChartForest forest;
  };
  std::vector<std::unique_ptr<Worker>> workers(engine::resolve_threads(threads));
  engine::parallel_for_worker(sentences.size(), threads, [&](std::size_t s, int w) {
    if (!workers[w])
      workers[w].reset(new Worker{ChartSearch(model_, weights_, options_), ChartForest()});
    auto& [search, forest] = *workers[w];
    std::optional<ForbiddenPhrases> forbidden;
    if (!sentences[s].forbidden.empty()) forbidden.emplace(sentences[s].forbidden);
    ChartInput input = chart_input(sentences[s], options_, grammars.of(s).source_words,
                                   forbidden ? &*forbidden : nullptr);
    ChartGrammar grammar = grammars.of(s);
    if (grammar.sparse != nullptr && !sparse_->empty()) grammar.sparse_weights = sparse_.get();
    const int wanted = lists == nullptr ? options_.pop_limit : lists->size;
    if (forbidden)
      search_allowed(search, grammar, wanted, *forbidden, input, forest);
    else
      search.run(input, grammar, wanted, forest);
    std::vector<std::uint8_t> keep;
    if (lists != nullptr && forest.reached)
      keep = listed_edges(search.rules(), grammar, input, forest, *lists);
    take(s, {chart_graph(model_, search.rules(), grammar, input, forest, keep), forest.pops,
             forest.items.size(), forest.timed_out, forest.glued});
  });
}

// Where every way has a forbidden phrase, words may be left out. Pruning can lose that way too,
// where a word before a prescribed one should have been left out: then phrases count inside rules
// alone.
void ChartSession::search_allowed(ChartSearch& search, const ChartGrammar& grammar, int wanted,
                                  const ForbiddenPhrases& forbidden, ChartInput& input,
                                  ChartForest& forest) const {
  input.forbidden = &forbidden;
  input.watches_borders = forbidden.spans_rules();
  search.run(input, grammar, wanted, forest);
  if (forest.reached || !input.watches_borders || input.nodes == 1) return;
  input.may_drop = true;
  search.run(input, grammar, wanted, forest);
  if (forest.reached) return;
  input.watches_borders = input.may_drop = false;
  search.run(input, grammar, wanted, forest);
}

void ChartSession::force(const std::vector<SourceSentence>& sentences,
                         const std::vector<std::vector<std::string>>& targets,
                         const LoadedGrammars& grammars, int threads,
                         const std::function<void(std::size_t, Searched&&)>& take) const {
  if (targets.size() != sentences.size())
    throw OptionError(std::to_string(targets.size()) + " translations for " +
                      std::to_string(sentences.size()) + " sentences");
  struct Worker {
    ForcedChart search;
    ChartForest forest;
  };
  std::vector<std::unique_ptr<Worker>> workers(engine::resolve_threads(threads));
  engine::parallel_for_worker(sentences.size(), threads, [&](std::size_t s, int w) {
    if (!workers[w])
      workers[w].reset(new Worker{ForcedChart(model_, weights_, options_), ChartForest()});
    auto& [search, forest] = *workers[w];
    const ChartInput input = chart_input(sentences[s], options_, grammars.of(s).source_words);
    ChartGrammar grammar = grammars.of(s);
    if (grammar.sparse != nullptr && !sparse_->empty()) grammar.sparse_weights = sparse_.get();
    search.run(input, grammar, targets[s], forest);
    // Nothing becomes nothing; else a translation that cannot be made has a graph without nodes.
    const bool made = forest.reached || (input.nodes == 1 && targets[s].empty());
    take(s, {made ? chart_graph(model_, search.rules(), grammar, input, forest, {}) : ChartGraph(),
             forest.pops, forest.items.size()});
  });
}

}  // namespace tunesmith::decode
