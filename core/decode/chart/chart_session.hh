// Chart searches that follow each other under the same weights.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "decode/chart/chart_grammar.hh"
#include "decode/chart/chart_graph.hh"
#include "decode/chart/chart_search.hh"
#include "decode/search_options.hh"
#include "decode/translation.hh"

namespace tunesmith::decode {

// The sentence as a lattice, if it is none; prescribed phrases are edges of their own.
// Copies of words are not what is forbidden; no phrases are forbidden yet. Words that are not in
// the grammar are one edge side by side if the options say so.
ChartInput chart_input(const SourceSentence& sentence, const ChartOptions& options,
                       const StringIndex& source_words,
                       const ForbiddenPhrases* forbidden = nullptr);

class ChartSession {
 public:
  // `weights` are those of the dense features, `sparse` of those that rules have besides; the
  // latter may move between searches. Throws
  // OptionError for weights that are not those of the model, or too large. The model must outlive
  // this.
  ChartSession(const ChartModel& model, std::span<const double> weights,
               std::shared_ptr<const features::NamedWeights> sparse, const ChartOptions& options);

  const ChartModel& model() const { return model_; }
  std::span<const double> weights() const { return weights_; }
  const features::NamedWeights& sparse_weights() const { return *sparse_; }

  // A search, and the graph of its forest: all of it, or what is in the lists that were asked for.
  struct Searched {
    ChartGraph graph;
    std::uint64_t pops = 0;
    std::uint64_t items = 0;
    bool timed_out = false;
    bool glued = false;
  };
  // Searches every input on `threads` threads and hands what was found to `take(s, searched)`, from
  // any thread. What is found does not depend on earlier searches. With `lists` graphs have the
  // edges of lists of this kind only.
  void search(const std::vector<SourceSentence>& sentences, const LoadedGrammars& grammars,
              const KBestOptions* lists, int threads,
              const std::function<void(std::size_t, Searched&&)>& take) const;
  // The same for derivations of given translations alone, all of them (forced_chart.hh).
  void force(const std::vector<SourceSentence>& sentences,
             const std::vector<std::vector<std::string>>& targets, const LoadedGrammars& grammars,
             int threads, const std::function<void(std::size_t, Searched&&)>& take) const;

 private:
  // Searches a sentence with forbidden phrases; `input` becomes what was searched at last.
  void search_allowed(ChartSearch& search, const ChartGrammar& grammar, int wanted,
                      const ForbiddenPhrases& forbidden, ChartInput& input,
                      ChartForest& forest) const;

  const ChartModel& model_;
  std::vector<double> weights_;
  std::shared_ptr<const features::NamedWeights> sparse_;
  ChartOptions options_;
};

}  // namespace tunesmith::decode
