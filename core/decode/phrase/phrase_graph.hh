// The search space of a sentence as a hypergraph: every derivation that was in the beam.
#pragma once

#include <vector>

#include "decode/graph_options.hh"
#include "decode/phrase/phrase_decoder.hh"
#include "graph/graph_pool.hh"

namespace tunesmith::decode {

// Makes the graphs of search graphs that come in any order, from any thread.
class GraphCollector {
 public:
  // Throws OptionError for options that make no sense. The model must outlive this.
  GraphCollector(const PhraseModel& model, GraphOptions options, std::size_t sentences);
  void take(std::size_t sentence, const SearchGraph& graph);
  // All graphs; sentences that were not taken have none.
  graph::GraphPoolData finish();

 private:
  struct SentenceGraph {
    graph::Hypergraph graph;
    StringIndex words;
  };

  const PhraseModel& model_;
  GraphOptions options_;
  std::vector<SentenceGraph> graphs_;
};

// Decodes all sentences on `threads` threads. Recombined hypotheses are edges of one node, states
// from which the end was not reached are left out, an edge from the start has no tail. A sentence
// of no words has one edge that says nothing; one whose translation is prescribed and cannot be
// made has no graph. The pool does not depend on the number of threads.
graph::GraphPoolData phrase_graphs(PhraseSession& session,
                                   const std::vector<SourceSentence>& sentences,
                                   const GraphOptions& options, int threads);

}  // namespace tunesmith::decode
