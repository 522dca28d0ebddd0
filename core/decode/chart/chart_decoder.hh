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
};

// Decodes all sentences on `threads` threads. With `graphs` there are graphs too, as phrase_graphs
// gives them.
ChartOutput decode_chart(const ChartSession& session, const std::vector<SourceSentence>& sentences,
                         const LoadedGrammars& grammars, const KBestOptions& kbest,
                         const GraphOptions* graphs, int threads);

}  // namespace tunesmith::decode
