// Sentences in, translations with feature values and graphs out.
#pragma once

#include <vector>

#include "decode/chart/chart_session.hh"
#include "decode/graph_options.hh"
#include "decode/translation.hh"
#include "graph/graph_pool.hh"

namespace tunesmith::decode {

// Charts grow with the square of a sentence's length.
constexpr int kMostChartWords = 2000;

struct ChartOutput {
  std::vector<SentenceResult> sentences;
  graph::GraphPoolData graphs;  // where they were asked for
  // Of the sparse features of the translations, and of the graphs: ids there are those of the dense
  // features, then those of these names.
  StringIndex names, graph_names;
};

// Decodes all sentences on `threads` threads. With `graphs` there are graphs too, as phrase_graphs
// gives them. With `targets`, a translation for each sentence, only their derivations count: all of
// them, or none.
ChartOutput decode_chart(const ChartSession& session, const std::vector<SourceSentence>& sentences,
                         const LoadedGrammars& grammars, const KBestOptions& kbest,
                         const GraphOptions* graphs, int threads,
                         const std::vector<std::vector<std::string>>& targets = {});

}  // namespace tunesmith::decode
