#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "learn/violation_learner.hh"
#include "training_text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// The updates of some examples, in their order.
struct Updates {
  std::vector<learn::ViolationUpdate> list;
};

// Pairs, and of each the prefix to learn from (source words, target words, one behind the other),
// or no prefixes.
std::vector<learn::LearningExample> examples_of(
    const bind::In<std::uint32_t>& batch, const std::optional<bind::In<std::uint32_t>>& prefixes) {
  if (prefixes && prefixes->size() != 2 * batch.size())
    throw nb::value_error("prefixes of another number of pairs");
  std::vector<learn::LearningExample> examples(batch.size());
  for (std::size_t i = 0; i < examples.size(); ++i) {
    examples[i].pair = batch.data()[i];
    if (prefixes) examples[i].prefix = {prefixes->data()[2 * i], prefixes->data()[2 * i + 1]};
  }
  return examples;
}

// The lists of some sentences with their features, checked.
class ListArrays {
 public:
  ListArrays(const bind::In<std::int64_t>& offsets, const bind::In<double, 2>& dense,
             const bind::In<std::int64_t>& rows, const bind::In<std::uint32_t>& ids,
             const bind::In<float>& values, const bind::In<double>& gains,
             const bind::In<double>& weights, const bind::In<double>& rates)
      : offsets_(bind::span_of(offsets)),
        dense_(dense),
        rows_(bind::span_of(rows)),
        ids_(bind::span_of(ids)),
        values_(bind::span_of(values)),
        gains_(bind::span_of(gains)) {
    const auto size = static_cast<std::int64_t>(gains.size());
    const auto entries = static_cast<std::int64_t>(ids.size());
    const std::size_t columns = dense.shape(1);
    if (!is_cut(offsets_, size) || rows.size() != gains.size() + 1 || !is_cut(rows_, entries) ||
        values.size() != ids.size() || dense.shape(0) != gains.size() || weights.size() < columns ||
        rates.size() != weights.size())
      throw nb::value_error("lists whose arrays do not belong together");
    for (const std::uint32_t id : ids_)
      if (id >= weights.size() - columns) throw nb::value_error("a feature without a weight");
  }

  std::size_t size(std::size_t list) const { return offsets_[list + 1] - offsets_[list]; }
  std::span<const double> gains(std::size_t list) const {
    return gains_.subspan(offsets_[list], size(list));
  }
  learn::FeatureRows rows(std::size_t list) const {
    learn::FeatureRows out;
    const auto columns = static_cast<std::uint32_t>(dense_.shape(1));
    for (std::int64_t k = offsets_[list]; k < offsets_[list + 1]; ++k) {
      for (std::uint32_t i = 0; i < columns; ++i) out.add(i, dense_(k, i));
      for (std::int64_t i = rows_[k]; i < rows_[k + 1]; ++i) out.add(columns + ids_[i], values_[i]);
      out.end_row();
    }
    return out;
  }

 private:
  // Whether [0, size) is cut at these places, in their order.
  static bool is_cut(std::span<const std::int64_t> places, std::int64_t size) {
    return !places.empty() && places.front() == 0 && places.back() == size &&
           std::is_sorted(places.begin(), places.end());
  }

  std::span<const std::int64_t> offsets_;
  bind::In<double, 2> dense_;
  std::span<const std::int64_t> rows_;
  std::span<const std::uint32_t> ids_;
  std::span<const float> values_;
  std::span<const double> gains_;
};

auto arrays_of(learn::BatchReport report) {
  return bind::tuple_of(
      bind::to_numpy(std::move(report.outcomes)), bind::to_numpy(std::move(report.bins)),
      bind::to_numpy(std::move(report.words)), bind::to_numpy(std::move(report.violations)),
      bind::to_numpy(std::move(report.reached)));
}

using UpdateState =
    std::tuple<std::uint8_t, int, int, double, bool, std::vector<double>, std::vector<double>>;

auto state_of(const Updates& updates) {
  std::vector<UpdateState> states;
  std::vector<std::uint64_t> ends, keys;
  std::vector<float> changes;
  for (const learn::ViolationUpdate& one : updates.list) {
    states.emplace_back(static_cast<std::uint8_t>(one.outcome), one.bin, one.words, one.violation,
                        one.reached, one.stats, one.dense);
    for (const features::KeyChange& change : one.sparse) {
      keys.push_back(change.key);
      changes.push_back(change.change);
    }
    ends.push_back(keys.size());
  }
  return bind::tuple_of(states, bind::to_numpy(std::move(ends)), bind::to_numpy(std::move(keys)),
                        bind::to_numpy(std::move(changes)));
}

void set_state(Updates& self, const bind::State& state) {
  new (&self) Updates;
  const auto ends = nb::cast<bind::In<std::uint64_t>>(state[1]);
  const auto keys = nb::cast<bind::In<std::uint64_t>>(state[2]);
  const auto changes = nb::cast<bind::In<float>>(state[3]);
  std::uint64_t at = 0;
  for (const auto& [outcome, bin, words, violation, reached, stats, dense] :
       nb::cast<std::vector<UpdateState>>(state[0])) {
    auto& one = self.list.emplace_back();
    one = {static_cast<learn::UpdateOutcome>(outcome),
           bin,
           words,
           violation,
           reached,
           stats,
           dense,
           {}};
    const std::uint64_t end =
        self.list.size() > ends.size() ? at : ends.data()[self.list.size() - 1];
    if (end > keys.size() || end > changes.size()) throw nb::value_error("updates cut off");
    for (; at < end; ++at) one.sparse.push_back({keys.data()[at], changes.data()[at]});
  }
}

}  // namespace

void register_learn(nb::module_& m) {
  nb::enum_<learn::UpdateMethod>(m, "UpdateMethod")
      .value("MAX_VIOLATION", learn::UpdateMethod::kMaxViolation)
      .value("EARLY", learn::UpdateMethod::kEarly)
      .value("STANDARD", learn::UpdateMethod::kStandard)
      .value("LOCAL", learn::UpdateMethod::kLocal)
      .value("EXPECTED", learn::UpdateMethod::kExpected)
      .value("RANKING", learn::UpdateMethod::kRanking);
  // The rule alone: scores of bins 0 to n, NaN where nobody is; for tests.
  m.def(
      "update_bin",
      [](learn::UpdateMethod method, const std::vector<double>& good,
         const std::vector<double>& bad, const std::vector<bool>& survives, int phrase_limit,
         double margin) {
        if (good.empty() || bad.size() != good.size() || survives.size() != good.size())
          throw nb::value_error("bins of different number");
        std::vector<learn::UpdateBin> bins(good.size());
        for (std::uint32_t i = 0; i < bins.size(); ++i)
          bins[i] = {std::isnan(good[i]) ? learn::UpdateBin::kNobody : i, good[i],
                     std::isnan(bad[i]) ? learn::UpdateBin::kNobody : i, bad[i], survives[i]};
        return learn::update_bin(method, bins, phrase_limit, margin);
      },
      "method"_a, "good"_a, "bad"_a, "survives"_a, "phrase_limit"_a, "margin"_a);
  // Lists one behind the other, as a decoder's output has them; `weights` and `rates` are those of
  // the dense features, then of the sparse ones. Gives the coefficient of each translation, and of
  // each list its pairs and how many of them were mended.
  m.def(
      "rank_lists",
      [](bind::In<std::int64_t> offsets, bind::In<double, 2> dense, bind::In<std::int64_t> rows,
         bind::In<std::uint32_t> ids, bind::In<float> values, bind::In<double> gains,
         bind::In<double> weights, bind::In<double> rates, double level_share, double margin) {
        const ListArrays lists(offsets, dense, rows, ids, values, gains, weights, rates);
        std::vector<double> coefficients;
        std::vector<std::int64_t> pairs, mended;
        {
          nb::gil_scoped_release release;
          std::vector<double> moving(weights.data(), weights.data() + weights.size());
          for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
            const auto update = learn::rank_pairs(
                lists.rows(s), lists.gains(s), std::vector<double>(lists.size(s), 0.0),
                bind::span_of(rates), {level_share, margin}, moving);
            coefficients.insert(coefficients.end(), update.coefficients.begin(),
                                update.coefficients.end());
            pairs.push_back(static_cast<std::int64_t>(update.pairs));
            mended.push_back(static_cast<std::int64_t>(update.mended));
          }
        }
        return bind::tuple_of(bind::to_numpy(std::move(coefficients)),
                              bind::to_numpy(std::move(pairs)), bind::to_numpy(std::move(mended)));
      },
      "offsets"_a, "dense"_a, "rows"_a, "ids"_a, "values"_a, "gains"_a, "weights"_a, "rates"_a,
      "level_share"_a, "margin"_a);
  nb::class_<learn::LearnerOptions>(m, "LearnerOptions")
      .def(nb::init<>())
      .def_rw("rate", &learn::LearnerOptions::rate)
      .def_rw("dense_rates", &learn::LearnerOptions::dense_rates)
      .def_rw("passive_aggressive", &learn::LearnerOptions::passive_aggressive)
      .def_rw("sum", &learn::LearnerOptions::sum)
      .def_rw("background", &learn::LearnerOptions::background)
      .def_rw("one_fold_in_memory", &learn::LearnerOptions::one_fold_in_memory)
      .def_prop_rw(
          "list_size", [](const learn::LearnerOptions& self) { return self.update.list_size; },
          [](learn::LearnerOptions& self, std::size_t size) { self.update.list_size = size; })
      .def_prop_rw(
          "sharpness",
          [](const learn::LearnerOptions& self) { return self.update.expected.sharpness; },
          [](learn::LearnerOptions& self, double by) { self.update.expected.sharpness = by; })
      .def_prop_rw(
          "level_share",
          [](const learn::LearnerOptions& self) { return self.update.ranking.level_share; },
          [](learn::LearnerOptions& self, double share) {
            self.update.ranking.level_share = share;
          })
      .def_prop_rw(
          "method", [](const learn::LearnerOptions& self) { return self.update.method; },
          [](learn::LearnerOptions& self, learn::UpdateMethod method) {
            self.update.method = method;
          })
      .def_prop_rw(
          "margin", [](const learn::LearnerOptions& self) { return self.update.margin; },
          [](learn::LearnerOptions& self, double margin) {
            self.update.margin = self.update.ranking.margin = margin;
          })
      .def_prop_rw(
          "max_violation",
          [](const learn::LearnerOptions& self) { return self.update.max_violation; },
          [](learn::LearnerOptions& self, double limit) { self.update.max_violation = limit; })
      .def_prop_rw(
          "search", [](const learn::LearnerOptions& self) { return self.update.search; },
          [](learn::LearnerOptions& self, const decode::SearchOptions& search) {
            self.update.search = search;
          })
      .def_prop_rw(
          "forced", [](const learn::LearnerOptions& self) { return self.update.forced; },
          [](learn::LearnerOptions& self, const decode::ForcedOptions& forced) {
            self.update.forced = forced;
          });

  nb::class_<Updates>(m, "LearnerUpdates")
      .def("__getstate__", &state_of)
      .def("__setstate__", &set_state);
  nb::class_<learn::ViolationLearner>(m, "ViolationLearner")
      .def(
          "__init__",
          [](learn::ViolationLearner* self,
             std::vector<std::shared_ptr<const decode::PhraseModel>> models,
             std::shared_ptr<features::LexicalModel> lexical, const decode::TrainingText& pairs,
             std::vector<std::uint32_t> folds, std::vector<double> weights,
             const learn::LearnerOptions& options) {
            new (self) learn::ViolationLearner(std::move(models), std::move(lexical), pairs,
                                               std::move(folds), std::move(weights), options);
          },
          "models"_a, "lexical"_a, "pairs"_a, "folds"_a, "weights"_a, "options"_a,
          nb::keep_alive<1, 4>())
      .def_prop_ro("pairs", &learn::ViolationLearner::pairs)
      .def_prop_ro("steps", &learn::ViolationLearner::steps)
      // Gives (outcomes, bins, words, violations, reached), each in the order of the batch.
      .def(
          "step",
          [](learn::ViolationLearner& self, bind::In<std::uint32_t> batch, int threads,
             std::optional<bind::In<std::uint32_t>> prefixes) {
            const auto examples = examples_of(batch, prefixes);
            learn::BatchReport report;
            {
              nb::gil_scoped_release release;
              report = self.step(examples, threads);
            }
            return arrays_of(std::move(report));
          },
          "batch"_a, "threads"_a, "prefixes"_a = nb::none())
      // A step in two: the updates of parts of the batch, which may come from other learners with
      // the same weights, and what is made of those of all parts, in their order.
      .def(
          "updates",
          [](learn::ViolationLearner& self, bind::In<std::uint32_t> batch, int threads,
             std::optional<bind::In<std::uint32_t>> prefixes) {
            const auto examples = examples_of(batch, prefixes);
            nb::gil_scoped_release release;
            return Updates{self.updates(examples, threads)};
          },
          "batch"_a, "threads"_a, "prefixes"_a = nb::none())
      .def(
          "add",
          [](learn::ViolationLearner& self, const std::vector<Updates*>& parts, int threads) {
            learn::BatchReport report;
            {
              nb::gil_scoped_release release;
              std::vector<learn::ViolationUpdate> all;
              for (const Updates* part : parts)
                all.insert(all.end(), part->list.begin(), part->list.end());
              report = self.add(all, threads);
            }
            return arrays_of(std::move(report));
          },
          "updates"_a, "threads"_a)
      .def("dense_weights", &learn::ViolationLearner::dense_weights, "average"_a)
      .def("lexical", &learn::ViolationLearner::lexical, "average"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def_prop_ro("lagged", &learn::ViolationLearner::lagged)
      .def_prop_ro("text", &learn::ViolationLearner::text)
      .def("restore", &learn::ViolationLearner::restore, "weights"_a, "lagged"_a, "text"_a,
           "steps"_a);
}
