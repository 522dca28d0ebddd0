#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "learn/violation_learner.hh"
#include "training_pairs.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_learn(nb::module_& m) {
  nb::enum_<UpdateMethod>(m, "UpdateMethod")
      .value("MAX_VIOLATION", UpdateMethod::kMaxViolation)
      .value("EARLY", UpdateMethod::kEarly)
      .value("STANDARD", UpdateMethod::kStandard)
      .value("LOCAL", UpdateMethod::kLocal)
      .value("EXPECTED", UpdateMethod::kExpected);
  // The rule alone: scores of bins 0 to n, NaN where nobody is; for tests.
  m.def(
      "update_bin",
      [](UpdateMethod method, const std::vector<double>& good, const std::vector<double>& bad,
         const std::vector<bool>& survives, int phrase_limit, double margin) {
        if (good.empty() || bad.size() != good.size() || survives.size() != good.size())
          throw nb::value_error("bins of different number");
        std::vector<UpdateBin> bins(good.size());
        for (std::uint32_t i = 0; i < bins.size(); ++i)
          bins[i] = {std::isnan(good[i]) ? UpdateBin::kNobody : i, good[i],
                     std::isnan(bad[i]) ? UpdateBin::kNobody : i, bad[i], survives[i]};
        return update_bin(method, bins, phrase_limit, margin);
      },
      "method"_a, "good"_a, "bad"_a, "survives"_a, "phrase_limit"_a, "margin"_a);
  nb::class_<LearnerOptions>(m, "LearnerOptions")
      .def(nb::init<>())
      .def_rw("rate", &LearnerOptions::rate)
      .def_rw("dense_rates", &LearnerOptions::dense_rates)
      .def_rw("passive_aggressive", &LearnerOptions::passive_aggressive)
      .def_rw("sum", &LearnerOptions::sum)
      .def_rw("background", &LearnerOptions::background)
      .def_prop_rw(
          "list_size", [](const LearnerOptions& self) { return self.update.expected.list_size; },
          [](LearnerOptions& self, std::size_t size) { self.update.expected.list_size = size; })
      .def_prop_rw(
          "sharpness", [](const LearnerOptions& self) { return self.update.expected.sharpness; },
          [](LearnerOptions& self, double by) { self.update.expected.sharpness = by; })
      .def_prop_rw(
          "method", [](const LearnerOptions& self) { return self.update.method; },
          [](LearnerOptions& self, UpdateMethod method) { self.update.method = method; })
      .def_prop_rw(
          "margin", [](const LearnerOptions& self) { return self.update.margin; },
          [](LearnerOptions& self, double margin) { self.update.margin = margin; })
      .def_prop_rw(
          "max_violation", [](const LearnerOptions& self) { return self.update.max_violation; },
          [](LearnerOptions& self, double limit) { self.update.max_violation = limit; })
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
             const bind::WordLists& target, const std::vector<bind::LinkArrays>& links,
             std::vector<std::uint32_t> folds, std::vector<double> weights,
             const LearnerOptions& options) {
            new (self) ViolationLearner(std::move(models), std::move(lexical),
                                        bind::training_pairs(source, target, links),
                                        std::move(folds), std::move(weights), options);
          },
          "models"_a, "lexical"_a, "source"_a, "target"_a, "links"_a, "folds"_a, "weights"_a,
          "options"_a)
      .def_prop_ro("pairs", &ViolationLearner::pairs)
      .def_prop_ro("steps", &ViolationLearner::steps)
      // Pairs, and of each the prefix to learn from (source words, target words, one behind the
      // other), or no prefixes. Gives (outcomes, bins, words, violations, reached), each in the
      // order of the batch.
      .def(
          "step",
          [](ViolationLearner& self, bind::In<std::uint32_t> batch, int threads,
             std::optional<bind::In<std::uint32_t>> prefixes) {
            if (prefixes && prefixes->size() != 2 * batch.size())
              throw nb::value_error("prefixes of another number of pairs");
            std::vector<LearningExample> examples(batch.size());
            for (std::size_t i = 0; i < examples.size(); ++i) {
              examples[i].pair = batch.data()[i];
              if (prefixes)
                examples[i].prefix = {prefixes->data()[2 * i], prefixes->data()[2 * i + 1]};
            }
            BatchReport report;
            {
              nb::gil_scoped_release release;
              report = self.step(examples, threads);
            }
            return nb::make_tuple(bind::to_numpy(std::move(report.outcomes)),
                                  bind::to_numpy(std::move(report.bins)),
                                  bind::to_numpy(std::move(report.words)),
                                  bind::to_numpy(std::move(report.violations)),
                                  bind::to_numpy(std::move(report.reached)));
          },
          "batch"_a, "threads"_a, "prefixes"_a = nb::none())
      .def("dense_weights", &ViolationLearner::dense_weights, "average"_a)
      .def("lexical", &ViolationLearner::lexical, "average"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("lagged", &ViolationLearner::lagged)
      .def_prop_ro("text", &ViolationLearner::text)
      .def("restore", &ViolationLearner::restore, "weights"_a, "lagged"_a, "text"_a, "steps"_a);
}
