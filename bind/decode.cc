#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hh"
#include "decode/lexicalised_reordering.hh"
#include "decode/maxent_reordering.hh"
#include "decode/phrase/phrase_decoder.hh"
#include "decode/phrase/phrase_graph.hh"
#include "graph_pool.hh"
#include "sentence.hh"
#include "translations.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;
using bind::Translations;

namespace {

using Tables = std::vector<std::shared_ptr<const grammar::PhraseTable>>;

std::shared_ptr<const decode::ReorderingModel> reordering_of(
    const Tables& tables, bool mslr, bool previous, bool next,
    std::shared_ptr<const reorder::MaxentModel> maxent, bool keep_unknown_order) {
  const decode::ReorderingShape shape{
      mslr ? grammar::OrientationClasses::kMslr : grammar::OrientationClasses::kMsd, previous,
      next};
  auto lexicalised =
      std::make_unique<decode::LexicalisedReordering>(shape, tables, keep_unknown_order);
  if (maxent == nullptr) return lexicalised;
  return std::make_shared<decode::MaxentReordering>(
      std::move(maxent), tables, shape.size() > 0 ? std::move(lexicalised) : nullptr,
      keep_unknown_order);
}

}  // namespace

void register_decode(nb::module_& m) {
  m.attr("MOST_PHRASE_WORDS") = decode::kMostPhraseWords;

  nb::class_<decode::SearchOptions>(m, "SearchOptions")
      .def(nb::init<>())
      .def_rw("pop_limit", &decode::SearchOptions::pop_limit)
      .def_rw("stack_size", &decode::SearchOptions::stack_size)
      .def_rw("beam_threshold", &decode::SearchOptions::beam_threshold)
      .def_rw("early_discarding", &decode::SearchOptions::early_discarding)
      .def_rw("distortion_limit", &decode::SearchOptions::distortion_limit)
      .def_rw("table_limit", &decode::SearchOptions::table_limit)
      .def_rw("diversity", &decode::SearchOptions::diversity)
      .def_rw("drop_unknown", &decode::SearchOptions::drop_unknown)
      .def_rw("time_limit", &decode::SearchOptions::time_limit);

  nb::class_<decode::PhraseModel>(m, "PhraseModel")
      .def(
          "__init__",
          [](decode::PhraseModel* self, Tables tables,
             std::vector<std::shared_ptr<const lm::Model>> models, bool mslr, bool previous,
             bool next, std::shared_ptr<const features::RuleFeatures> rule_features,
             std::shared_ptr<const features::LexicalModel> lexical, std::vector<float> floors,
             std::vector<int> recounted, std::shared_ptr<const reorder::MaxentModel> maxent,
             bool keep_unknown_order) {
            auto reordering =
                reordering_of(tables, mslr, previous, next, std::move(maxent), keep_unknown_order);
            new (self)
                decode::PhraseModel(std::move(tables), std::move(models), std::move(reordering),
                                    std::move(rule_features), std::move(lexical),
                                    {std::move(floors), std::move(recounted)});
          },
          "tables"_a, "language_models"_a, "mslr"_a, "previous"_a, "next"_a,
          "rule_features"_a = nb::none(), "lexical"_a = nb::none(),
          // Not empty: the tables are joined.
          "floors"_a = std::vector<float>(), "recounted"_a = std::vector<int>(),
          "maxent"_a = nb::none(), "keep_unknown_order"_a = false)
      .def(
          "__init__",
          [](decode::PhraseModel* self, const decode::PhraseModel& base,
             std::shared_ptr<const grammar::PhraseTable> layer, bool mslr, bool previous, bool next,
             std::shared_ptr<const reorder::MaxentModel> maxent, bool keep_unknown_order) {
            Tables tables(base.model_tables().begin(), base.model_tables().end());
            tables.push_back(layer);
            new (self) decode::PhraseModel(
                base, std::move(layer),
                reordering_of(tables, mslr, previous, next, std::move(maxent), keep_unknown_order));
          },
          // With a table of its rules that is a layer on top of those of `base`.
          "base"_a, "layer"_a, "mslr"_a, "previous"_a, "next"_a, "maxent"_a = nb::none(),
          "keep_unknown_order"_a = false)
      .def("give_back", &decode::PhraseModel::give_back)
      .def_prop_ro("features", &decode::PhraseModel::features)
      .def_prop_ro("sparse_features", &decode::PhraseModel::sparse_features);

  m.def("plain_features", [] {
    return std::vector<std::string>(decode::kPlainNames.begin(), decode::kPlainNames.end());
  });
  m.def("plain_chart_features", [] {
    return std::vector<std::string>(decode::kChartNames.begin(), decode::kChartNames.end());
  });

  nb::class_<decode::PhraseSession>(m, "PhraseSession")
      .def(
          "__init__",
          [](decode::PhraseSession* self, const decode::PhraseModel& model,
             bind::In<double> weights, const decode::SearchOptions& options) {
            new (self) decode::PhraseSession(model, bind::span_of(weights), options);
          },
          "model"_a, "weights"_a, "options"_a, nb::keep_alive<1, 2>());

  nb::class_<Translations>(m, "Translations")
      .def("__len__", &Translations::count)
      .def("offsets",
           [](const Translations& self) {
             std::vector<std::int64_t> offsets{0};
             for (const auto& sentence : self.sentences)
               offsets.push_back(offsets.back() +
                                 static_cast<std::int64_t>(sentence.translations.size()));
             return bind::to_numpy(std::move(offsets));
           })
      .def("texts",
           [](const Translations& self) {
             nb::list out;
             self.each([&](const decode::Translation& t) {
               out.append(nb::str(t.text.c_str(), t.text.size()));
             });
             return bind::list_of<nb::str>(std::move(out));
           })
      .def("scores",
           [](const Translations& self) {
             std::vector<double> out;
             self.each([&](const decode::Translation& t) { out.push_back(t.score); });
             return bind::to_numpy(std::move(out));
           })
      .def("features",
           [](const Translations& self) {
             std::vector<double> out;
             self.each([&](const decode::Translation& t) {
               out.insert(out.end(), t.features.dense.begin(), t.features.dense.end());
             });
             return bind::to_numpy(std::move(out),
                                   {self.count(), static_cast<std::size_t>(self.features)});
           })
      // Offsets [rows + 1], ids (ascending in a row) and values of the sparse features.
      .def("sparse",
           [](const Translations& self) {
             std::vector<std::int64_t> offsets{0};
             std::vector<std::uint32_t> ids;
             std::vector<float> values;
             self.each([&](const decode::Translation& t) {
               const SparseVector& sparse = t.features.sparse;
               ids.insert(ids.end(), sparse.ids.begin(), sparse.ids.end());
               values.insert(values.end(), sparse.values.begin(), sparse.values.end());
               offsets.push_back(static_cast<std::int64_t>(ids.size()));
             });
             return bind::tuple_of(bind::to_numpy(std::move(offsets)),
                                   bind::to_numpy(std::move(ids)),
                                   bind::to_numpy(std::move(values)));
           })
      // [steps, 6]: source begin, end, target begin, end, table, rule (−1: no rule).
      .def("steps",
           [](const Translations& self) {
             std::vector<std::int64_t> steps, offsets{0};
             self.each([&](const decode::Translation& t) {
               for (const decode::DerivationStep& s : t.steps)
                 steps.insert(steps.end(),
                              {s.begin, s.end, s.target_begin, s.target_end, s.table, s.rule});
               offsets.push_back(static_cast<std::int64_t>(steps.size() / 6));
             });
             const std::size_t rows = steps.size() / 6;
             return bind::tuple_of(bind::to_numpy(std::move(offsets)),
                                   bind::to_numpy(std::move(steps), {rows, 6}));
           })
      // Of the ids of sparse(), and of those of graphs() behind the dense ones; None where the
      // model knows them.
      .def_prop_ro("sparse_names", [](const Translations& self) { return self.sparse_names; })
      .def_prop_ro("graph_names", [](const Translations& self) { return self.graph_names; })
      // Once: the arrays are Python's then.
      .def("graphs", [](Translations& self) { return bind::to_python(std::move(self.graphs)); })
      // Offsets [rows + 1], and of translations of lattices the arcs that were taken.
      .def("paths",
           [](const Translations& self) {
             std::vector<std::int64_t> arcs, offsets{0};
             self.each([&](const decode::Translation& t) {
               arcs.insert(arcs.end(), t.path.begin(), t.path.end());
               offsets.push_back(static_cast<std::int64_t>(arcs.size()));
             });
             return bind::tuple_of(bind::to_numpy(std::move(offsets)),
                                   bind::to_numpy(std::move(arcs)));
           })
      // [sentences, 6]: pops, states, edges, timed out, discarded, glued.
      .def("work", [](const Translations& self) {
        std::vector<std::int64_t> out;
        for (const auto& s : self.sentences)
          out.insert(out.end(),
                     {static_cast<std::int64_t>(s.pops), static_cast<std::int64_t>(s.states),
                      static_cast<std::int64_t>(s.edges), s.timed_out ? 1 : 0,
                      static_cast<std::int64_t>(s.discarded), s.glued ? 1 : 0});
        return bind::to_numpy(std::move(out), {self.sentences.size(), 6});
      });

  m.def(
      "decode_phrases",
      [](decode::PhraseSession& session, std::vector<decode::SourceSentence> sentences, int size,
         bool distinct, int threads, std::vector<std::vector<std::string>> targets,
         double graph_density) {
        bind::set_targets(sentences, std::move(targets));
        Translations out;
        out.features = session.model().features();
        nb::gil_scoped_release release;
        std::optional<decode::GraphCollector> graphs;
        if (graph_density >= 0.0)
          graphs.emplace(session.model(), decode::GraphOptions{graph_density, {}},
                         sentences.size());
        decode::SearchGraphVisitor look;
        if (graphs)
          look = [&](std::size_t s, const decode::SearchGraph& graph) { graphs->take(s, graph); };
        out.sentences = decode::decode_phrases(session, sentences, {size, distinct}, threads, look);
        if (graphs) out.graphs = graphs->finish();
        return out;
      },
      "session"_a, "sentences"_a, "size"_a = 1, "distinct"_a = true,
      // Edges per word of the graphs that are kept, 0 for all; below 0 none are.
      "threads"_a = 1, "targets"_a = std::vector<std::vector<std::string>>(),
      "graph_density"_a = -1.0);

  m.def(
      "derivation_features",
      [](const decode::PhraseModel& model, const decode::SourceSentence& source,
         const Translations& translations, std::size_t sentence, std::size_t rank) {
        const decode::Translation& t = translations.sentences.at(sentence).translations.at(rank);
        decode::FeatureValues values = decode::derivation_features(model, source, t.steps, t.text);
        return bind::tuple_of(bind::to_numpy(std::move(values.dense)),
                              bind::to_numpy(std::move(values.sparse.ids)),
                              bind::to_numpy(std::move(values.sparse.values)));
      },
      "model"_a, "sentence"_a, "translations"_a, "index"_a, "rank"_a);
}
