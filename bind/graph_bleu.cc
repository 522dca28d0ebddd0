#include <nanobind/nanobind.h>

#include "engine/parallel.hh"
#include "graph/bleu_space.hh"
#include "graph/expected_bleu.hh"
#include "graph/viterbi.hh"
#include "graph_pool.hh"
#include "paths.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check_sums(const graph::BleuSpace& space, const metrics::Gain& gain,
                const bind::In<double>& sums) {
  if (gain.size() != space.scorer().size())
    throw nb::value_error("the metric's statistics are not those of BLEU");
  if (static_cast<int>(sums.size()) != gain.size())
    throw nb::value_error("one background count per statistic is needed");
}

// (sentences, offsets, edges), statistics, scores, gains; sentences without derivations left out.
auto choices_to_python(const std::vector<graph::BleuChoice>& chosen, int size) {
  bind::PathArrays paths;
  std::vector<std::int32_t> stats;
  std::vector<double> scores, gains;
  for (std::size_t s = 0; s < chosen.size(); ++s) {
    if (chosen[s].edges.empty()) continue;
    paths.add(static_cast<std::int64_t>(s), chosen[s].edges);
    stats.insert(stats.end(), chosen[s].stats.begin(), chosen[s].stats.end());
    scores.push_back(chosen[s].score);
    gains.push_back(chosen[s].gain);
  }
  const std::size_t rows = scores.size();
  return bind::tuple_of(std::move(paths).to_python(),
                        bind::to_numpy(std::move(stats), {rows, static_cast<std::size_t>(size)}),
                        bind::to_numpy(std::move(scores)), bind::to_numpy(std::move(gains)));
}

}  // namespace

void register_graph_bleu(nb::module_& m) {
  nb::class_<graph::BleuSpace>(m, "BleuSpace")
      .def(
          "__init__",
          [](graph::BleuSpace* self, const bind::GraphArrays& graphs, const StringIndex& vocabulary,
             const metrics::SegmentScorer& any, bind::In<std::uint32_t> sentences, int threads) {
            const auto* bleu = dynamic_cast<const metrics::BleuScorer*>(&any);
            if (bleu == nullptr || !bleu->takes_words())
              throw nb::value_error("BLEU of words is needed");
            const metrics::BleuScorer& scorer = *bleu;
            const auto ids = bind::span_of(sentences);
            if (static_cast<std::int64_t>(ids.size()) != graphs.view.sentences())
              throw nb::value_error("one sentence number per graph is needed");
            for (const std::uint32_t s : ids)
              if (s >= scorer.sentences()) throw nb::value_error("a sentence without references");
            if (vocabulary.size() != static_cast<std::uint64_t>(graphs.view.vocabulary))
              throw nb::value_error("the vocabulary is not that of the graphs");
            nb::gil_scoped_release release;
            new (self) graph::BleuSpace(graphs.view, vocabulary, scorer, ids, threads);
          },
          "graphs"_a, "vocabulary"_a, "scorer"_a, "sentences"_a, "threads"_a,
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
      .def_prop_ro("sentences", &graph::BleuSpace::sentences)
      .def(
          "best",
          [](const graph::BleuSpace& self, const metrics::Gain& gain, bind::In<double> weights,
             bind::In<double> background, bind::In<double> around, double factor, int beam,
             int threads) {
            bind::check_weights(self.pool(), weights);
            check_sums(self, gain, background);
            check_sums(self, gain, around);
            std::vector<graph::BleuChoice> chosen(self.sentences());
            {
              nb::gil_scoped_release release;
              const graph::BleuObjective objective{&gain, bind::span_of(background),
                                                   bind::span_of(around), factor};
              std::vector<graph::BleuDecoder> decoders(engine::resolve_threads(threads),
                                                       graph::BleuDecoder(beam));
              engine::parallel_for_worker(chosen.size(), threads, [&](std::size_t s, int worker) {
                const auto sentence = static_cast<std::int64_t>(s);
                if (self.graph(sentence).empty()) return;
                const auto scores = graph::edge_scores(self.graph(sentence), weights.data());
                chosen[s] = decoders[worker].best(self, sentence, scores, objective);
              });
            }
            return choices_to_python(chosen, gain.size());
          },
          "gain"_a, "weights"_a, "background"_a, "around"_a, "factor"_a, "beam"_a, "threads"_a)
      .def(
          "oracle",
          [](const graph::BleuSpace& self, const metrics::Gain& gain, bind::In<double> weights,
             int beam) {
            bind::check_weights(self.pool(), weights);
            std::vector<graph::BleuChoice> chosen;
            {
              nb::gil_scoped_release release;
              chosen = graph::graph_oracle(self, gain, bind::span_of(weights), beam);
            }
            return choices_to_python(chosen, gain.size());
          },
          "gain"_a, "weights"_a, "beam"_a)
      // The expected statistics of all sentences; the gradient of gain(background + them): which
      // features it has, and its values; what each sentence's linear gain lacks to its best.
      .def(
          "gradient",
          [](const graph::BleuSpace& self, const metrics::Gain& gain, bind::In<double> weights,
             bind::In<double> background, int threads) {
            bind::check_weights(self.pool(), weights);
            check_sums(self, gain, background);
            std::vector<double> expected, lacks(self.sentences());
            graph::FeatureSum total;
            {
              nb::gil_scoped_release release;
              graph::ExpectedBleu bleu(self, gain, threads);
              expected = bleu.expect(bind::span_of(weights));
              std::vector<double> sums = expected;
              for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += background.data()[k];
              bleu.differentiate(sums);
              for (std::size_t s = 0; s < lacks.size(); ++s) lacks[s] = bleu.lacks(s);
              total = bleu.total_gradient();
            }
            return bind::tuple_of(
                bind::to_numpy(std::move(expected)), bind::to_numpy(std::move(total.ids)),
                bind::to_numpy(std::move(total.values)), bind::to_numpy(std::move(lacks)));
          },
          "gain"_a, "weights"_a, "background"_a, "threads"_a);
}
