#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "learn/violation_learner.hh"
#include "training_pairs.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_learn(nb::module_& m) {
  nb::enum_<AtomLevel>(m, "AtomLevel")
      .value("WORD", AtomLevel::kWord)
      .value("CHARACTER", AtomLevel::kCharacter)
      .value("CLASS", AtomLevel::kClass)
      .value("TYPE", AtomLevel::kType);
  nb::class_<LexicalOptions>(m, "LexicalOptions")
      .def(nb::init<>())
      .def_rw("levels", &LexicalOptions::levels)
      .def_rw("costs", &LexicalOptions::costs)
      .def_rw("budget", &LexicalOptions::budget)
      .def_rw("max_atoms", &LexicalOptions::max_atoms)
      .def_rw("rule_ids", &LexicalOptions::rule_ids)
      .def_rw("edges", &LexicalOptions::edges)
      .def_rw("rule_pairs", &LexicalOptions::rule_pairs)
      .def_rw("history", &LexicalOptions::history);

  nb::class_<LexicalModel>(m, "LexicalModel")
      .def(
          "__init__",
          [](LexicalModel* self, const LexicalOptions& options,
             const std::vector<std::string>& source_words,
             const std::vector<std::vector<std::string>>& source_classes,
             const std::vector<std::string>& target_words,
             const std::vector<std::vector<std::string>>& target_classes, int bits, int min_count) {
            WeightTable weights(bits);
            weights.set_min_count(min_count);
            new (self) LexicalModel(
                options, WordAtoms(options.levels, source_words, source_classes),
                WordAtoms(options.levels, target_words, target_classes), std::move(weights));
          },
          "options"_a, "source_words"_a, "source_classes"_a, "target_words"_a, "target_classes"_a,
          "bits"_a, "min_count"_a)
      .def_static("load", &LexicalModel::load, "path"_a, "verify"_a,
                  nb::call_guard<nb::gil_scoped_release>())
      .def("save", &LexicalModel::save, "path"_a, "all"_a, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", [](const LexicalModel& self) { return self.weights().size(); })
      .def_prop_ro("meta", &LexicalModel::meta)
      .def_prop_ro("memory", [](const LexicalModel& self) { return self.weights().memory(); })
      .def_prop_ro("features_per_rule",
                   [](const LexicalModel& self) { return self.templates().features_per_rule(); })
      .def("entries",
           [](const LexicalModel& self) {
             std::vector<std::uint64_t> keys;
             std::vector<float> values;
             for (const KeyChange& entry : self.weights().entries()) {
               keys.push_back(entry.key);
               values.push_back(entry.change);
             }
             return nb::make_tuple(bind::to_numpy(std::move(keys)),
                                   bind::to_numpy(std::move(values)));
           })
      // What a learner does, for tests and for those who bring weights of their own.
      .def(
          "add",
          [](LexicalModel& self, bind::In<std::uint64_t> keys, bind::In<float> changes, double step,
             int threads) {
            if (keys.size() != changes.size()) throw nb::value_error("keys and changes differ");
            std::vector<KeyChange> both(keys.size());
            for (std::size_t i = 0; i < both.size(); ++i)
              both[i] = {keys.data()[i], changes.data()[i]};
            self.weights().add(both, step, threads);
          },
          "keys"_a, "changes"_a, "step"_a = 0.0, "threads"_a = 1)
      .def(
          "averaged",
          [](const LexicalModel& self, double steps) {
            return self.with_weights(self.weights().averaged(steps));
          },
          "steps"_a)
      .def(
          "weight",
          [](const LexicalModel& self, std::uint64_t key) { return self.weights().weight(key); },
          "key"_a);

  nb::enum_<UpdateMethod>(m, "UpdateMethod")
      .value("MAX_VIOLATION", UpdateMethod::kMaxViolation)
      .value("EARLY", UpdateMethod::kEarly)
      .value("STANDARD", UpdateMethod::kStandard)
      .value("LOCAL", UpdateMethod::kLocal);
  nb::class_<LearnerOptions>(m, "LearnerOptions")
      .def(nb::init<>())
      .def_rw("rate", &LearnerOptions::rate)
      .def_rw("dense_rate", &LearnerOptions::dense_rate)
      .def_rw("passive_aggressive", &LearnerOptions::passive_aggressive)
      .def_rw("sum", &LearnerOptions::sum)
      .def_prop_rw(
          "method", [](const LearnerOptions& self) { return self.update.method; },
          [](LearnerOptions& self, UpdateMethod method) { self.update.method = method; })
      .def_prop_rw(
          "margin", [](const LearnerOptions& self) { return self.update.margin; },
          [](LearnerOptions& self, double margin) { self.update.margin = margin; })
      .def_prop_rw(
          "search", [](const LearnerOptions& self) { return self.update.search; },
          [](LearnerOptions& self, const SearchOptions& search) { self.update.search = search; })
      .def_prop_rw(
          "forced", [](const LearnerOptions& self) { return self.update.forced; },
          [](LearnerOptions& self, const ForcedOptions& forced) { self.update.forced = forced; });

  nb::class_<ViolationLearner>(m, "ViolationLearner")
      .def(
          "__init__",
          [](ViolationLearner* self, std::vector<std::shared_ptr<const PhraseModel>> models,
             std::shared_ptr<LexicalModel> lexical, const bind::WordLists& source,
             const bind::WordLists& target, bind::In<std::uint64_t> link_offsets,
             bind::In<std::uint32_t> link_sources, bind::In<std::uint32_t> link_targets,
             std::vector<std::uint32_t> folds, std::vector<double> weights,
             const LearnerOptions& options) {
            new (self) ViolationLearner(
                std::move(models), std::move(lexical),
                bind::training_pairs(source, target, link_offsets, link_sources, link_targets),
                std::move(folds), std::move(weights), options);
          },
          "models"_a, "lexical"_a, "source"_a, "target"_a, "link_offsets"_a, "link_sources"_a,
          "link_targets"_a, "folds"_a, "weights"_a, "options"_a)
      .def_prop_ro("pairs", &ViolationLearner::pairs)
      .def_prop_ro("steps", &ViolationLearner::steps)
      // (outcomes, bins, words, violations, reached), each in the order of the batch.
      .def(
          "step",
          [](ViolationLearner& self, bind::In<std::uint32_t> batch, int threads) {
            BatchReport report;
            {
              nb::gil_scoped_release release;
              report = self.step(bind::span_of(batch), threads);
            }
            return nb::make_tuple(bind::to_numpy(std::move(report.outcomes)),
                                  bind::to_numpy(std::move(report.bins)),
                                  bind::to_numpy(std::move(report.words)),
                                  bind::to_numpy(std::move(report.violations)),
                                  bind::to_numpy(std::move(report.reached)));
          },
          "batch"_a, "threads"_a)
      .def("dense_weights", &ViolationLearner::dense_weights, "average"_a)
      .def("lexical", &ViolationLearner::lexical, "average"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("lagged", &ViolationLearner::lagged)
      .def("restore", &ViolationLearner::restore, "weights"_a, "lagged"_a, "steps"_a);
}
