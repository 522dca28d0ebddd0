#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "decode/phrase/phrase_graph.hh"
#include "graph_pool.hh"
#include "sentence.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_decode_graph(nb::module_& m) {
  m.def(
      "phrase_graphs",
      [](decode::PhraseSession& session, std::vector<decode::SourceSentence> sentences,
         double density, std::vector<std::int64_t> word_counts, int threads,
         std::vector<std::vector<std::string>> targets) {
        bind::set_targets(sentences, std::move(targets));
        graph::GraphPoolData pool;
        {
          nb::gil_scoped_release release;
          pool =
              decode::phrase_graphs(session, sentences, {density, std::move(word_counts)}, threads);
        }
        return bind::to_python(std::move(pool));
      },
      "session"_a, "sentences"_a, "density"_a, "word_counts"_a, "threads"_a,
      "targets"_a = std::vector<std::vector<std::string>>());
}
