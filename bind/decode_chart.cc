#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "decode/chart/chart_decoder.hh"
#include "translations.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_decode_chart(nb::module_& m) {
  m.attr("MOST_CHART_WORDS") = decode::kMostChartWords;

  nb::class_<decode::ChartOptions>(m, "ChartOptions")
      .def(nb::init<>())
      .def_rw("pop_limit", &decode::ChartOptions::pop_limit)
      .def_rw("grow", &decode::ChartOptions::grow)
      .def_rw("span_limit", &decode::ChartOptions::span_limit)
      .def_rw("rule_limit", &decode::ChartOptions::rule_limit)
      .def_rw("beam_threshold", &decode::ChartOptions::beam_threshold)
      .def_rw("pass_all", &decode::ChartOptions::pass_all)
      .def_rw("drop_unknown", &decode::ChartOptions::drop_unknown)
      .def_rw("keep_unknown_order", &decode::ChartOptions::keep_unknown_order)
      .def_rw("time_limit", &decode::ChartOptions::time_limit);

  nb::class_<decode::ChartModel>(m, "ChartModel")
      .def(nb::init<std::vector<std::shared_ptr<const lm::Model>>, int, int>(), "language_models"_a,
           "grammar_features"_a, "arc_features"_a)
      .def_prop_ro("features", &decode::ChartModel::features);

  nb::class_<decode::LoadedGrammar>(m, "LoadedGrammar")
      .def(
          "__init__",
          [](decode::LoadedGrammar* self, std::shared_ptr<const grammar::ScfgGrammar> rules,
             const decode::ChartModel& model, const std::vector<std::string>& names,
             std::shared_ptr<const features::GrammarFeatures> sparse) {
            StringIndex known;
            for (const std::string& name : names) known.add(name);
            nb::gil_scoped_release release;
            new (self) decode::LoadedGrammar(std::move(rules), model, known, std::move(sparse));
          },
          "grammar"_a, "model"_a, "names"_a, "sparse"_a = nb::none(), nb::keep_alive<1, 3>());

  nb::class_<decode::ChartSession>(m, "ChartSession")
      .def(
          "__init__",
          [](decode::ChartSession* self, const decode::ChartModel& model, bind::In<double> weights,
             std::shared_ptr<const features::NamedWeights> sparse,
             const decode::ChartOptions& options) {
            new (self)
                decode::ChartSession(model, bind::span_of(weights), std::move(sparse), options);
          },
          "model"_a, "weights"_a, "sparse"_a, "options"_a, nb::keep_alive<1, 2>());

  m.def(
      "decode_chart",
      [](const decode::ChartSession& session,
         std::vector<std::shared_ptr<const decode::LoadedGrammar>> grammars,
         const std::vector<decode::SourceSentence>& sentences, int size, bool distinct, int threads,
         double graph_density, std::vector<std::int64_t> word_counts,
         const std::vector<std::vector<std::string>>& targets) {
        bind::Translations out;
        out.features = session.model().features();
        nb::gil_scoped_release release;
        const decode::GraphOptions options{graph_density, std::move(word_counts)};
        decode::ChartOutput found = decode::decode_chart(
            session, sentences, decode::LoadedGrammars(std::move(grammars), sentences.size()),
            {size, distinct}, graph_density < 0.0 ? nullptr : &options, threads, targets);
        out.sentences = std::move(found.sentences);
        out.graphs = std::move(found.graphs);
        out.sparse_names = std::make_shared<StringIndex>(std::move(found.names));
        out.graph_names = std::make_shared<StringIndex>(std::move(found.graph_names));
        return out;
      },
      "session"_a, "grammars"_a, "sentences"_a, "size"_a = 1, "distinct"_a = true, "threads"_a = 1,
      // Edges per word of the graphs that are kept, 0 for all; below 0 none are.
      "graph_density"_a = -1.0, "word_counts"_a = std::vector<std::int64_t>(),
      // Translations that are prescribed, if any.
      "targets"_a = std::vector<std::vector<std::string>>());
}
