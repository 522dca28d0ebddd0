#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "aligned_corpus.hh"
#include "reorder/build_examples.hh"
#include "reorder/dual_trainer.hh"
#include "reorder/maxent_model.hh"
#include "reorder/primal_trainer.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

void check_weights(const reorder::Examples& examples, const bind::In<double>& weights) {
  if (weights.size() != examples.weights())
    throw nb::value_error("one weight per feature and class is needed");
}

void register_primal(nb::module_& m) {
  nb::class_<reorder::PrimalOptions>(m, "PrimalOptions")
      .def(nb::init<>())
      .def_rw("variance", &reorder::PrimalOptions::variance)
      .def_rw("rate", &reorder::PrimalOptions::rate)
      .def_rw("averaged", &reorder::PrimalOptions::averaged)
      .def_rw("seed", &reorder::PrimalOptions::seed);
  nb::class_<reorder::PrimalTrainer>(m, "PrimalTrainer")
      .def(nb::init<const reorder::Examples&, const reorder::PrimalOptions&>(),
           nb::keep_alive<1, 2>(), nb::call_guard<nb::gil_scoped_release>(), "examples"_a,
           "options"_a)
      .def_static(
          "resumed",
          [](const reorder::Examples& examples, const reorder::PrimalOptions& options,
             bind::In<double> raw, bind::In<double> lagging, bind::In<double> numbers,
             std::uint64_t passes) {
            if (numbers.size() != 4) throw nb::value_error("four numbers are needed");
            const auto copy = [](const auto& array) {
              const auto values = bind::span_of(array);
              return std::vector<double>(values.begin(), values.end());
            };
            const double* n = numbers.data();
            return new reorder::PrimalTrainer(
                examples, options, {copy(raw), copy(lagging), n[0], n[1], n[2], n[3], passes});
          },
          nb::keep_alive<0, 1>(), "examples"_a, "options"_a, "raw"_a, "lagging"_a, "numbers"_a,
          "passes"_a)
      .def("run_pass", &reorder::PrimalTrainer::pass, nb::call_guard<nb::gil_scoped_release>())
      .def("weights",
           [](const reorder::PrimalTrainer& self) { return bind::to_numpy(self.weights()); })
      .def_prop_ro("passes", [](const reorder::PrimalTrainer& self) { return self.state().passes; })
      .def_prop_ro("rate", [](const reorder::PrimalTrainer& self) { return self.state().rate; })
      .def_prop_ro("examples", &reorder::PrimalTrainer::examples)
      .def("state", [](const reorder::PrimalTrainer& self) {
        const reorder::PrimalState& state = self.state();
        return bind::tuple_of(
            bind::to_numpy(std::vector(state.raw)), bind::to_numpy(std::vector(state.lagging)),
            bind::to_numpy(std::vector<double>{state.rate, state.scale, state.sum_of_scales,
                                               state.averaged_steps}));
      });
}

void register_dual(nb::module_& m) {
  nb::class_<reorder::DualOptions>(m, "DualOptions")
      .def(nb::init<>())
      .def_rw("variance", &reorder::DualOptions::variance)
      .def_rw("tolerance", &reorder::DualOptions::tolerance)
      .def_rw("start", &reorder::DualOptions::start)
      .def_rw("rate", &reorder::DualOptions::rate)
      .def_rw("trials", &reorder::DualOptions::trials)
      .def_rw("parts", &reorder::DualOptions::parts)
      .def_rw("seed", &reorder::DualOptions::seed);
  nb::class_<reorder::DualTrainer>(m, "DualTrainer")
      .def(nb::init<const reorder::Examples&, const reorder::DualOptions&>(),
           nb::keep_alive<1, 2>(), nb::call_guard<nb::gil_scoped_release>(), "examples"_a,
           "options"_a)
      .def_static(
          "resumed",
          [](const reorder::Examples& examples, const reorder::DualOptions& options,
             bind::In<float> log_alpha, bind::In<double> weights, bind::In<std::uint32_t> active,
             std::uint64_t passes) {
            return new reorder::DualTrainer(examples, options, bind::span_of(log_alpha),
                                            bind::span_of(weights), bind::span_of(active), passes);
          },
          nb::keep_alive<0, 1>(), "examples"_a, "options"_a, "log_alpha"_a, "weights"_a, "active"_a,
          "passes"_a)
      .def(
          "run_pass",
          [](reorder::DualTrainer& self, int threads) {
            reorder::DualPass done;
            {
              nb::gil_scoped_release release;
              done = self.pass(threads);
            }
            return bind::tuple_of(done.visited, done.changed);
          },
          "threads"_a)
      .def("recheck", &reorder::DualTrainer::recheck)
      .def("objective", &reorder::DualTrainer::objective, nb::call_guard<nb::gil_scoped_release>(),
           "threads"_a)
      .def_prop_ro("passes", &reorder::DualTrainer::passes)
      .def_prop_ro("active_count",
                   [](const reorder::DualTrainer& self) { return self.active().size(); })
      // Views of memory that changes with the next pass.
      .def("log_alpha",
           [](nb::handle self) {
             return bind::view(nb::cast<const reorder::DualTrainer&>(self).log_alpha(), self);
           })
      .def("weights",
           [](nb::handle self) {
             return bind::view(nb::cast<const reorder::DualTrainer&>(self).weights(), self);
           })
      .def("active", [](nb::handle self) {
        return bind::view(nb::cast<const reorder::DualTrainer&>(self).active(), self);
      });
}

void register_model(nb::module_& m) {
  nb::class_<reorder::ExampleOptions>(m, "ExampleOptions")
      .def(nb::init<>())
      .def_prop_rw(
          "max_length",
          [](const reorder::ExampleOptions& self) { return self.extraction.max_source_length; },
          [](reorder::ExampleOptions& self, int length) {
            self.extraction.max_source_length = self.extraction.max_target_length = length;
          })
      .def_prop_rw(
          "orientation",
          [](const reorder::ExampleOptions& self) { return self.extraction.orientation; },
          [](reorder::ExampleOptions& self, grammar::OrientationModel model) {
            self.extraction.orientation = model;
          })
      .def_rw("choice", &reorder::ExampleOptions::choice)
      .def_rw("cutoff", &reorder::ExampleOptions::cutoff)
      .def_rw("threads", &reorder::ExampleOptions::threads);
  m.def(
      "build_orientations",
      [](bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
         bind::In<std::uint64_t> target_offsets, bind::In<std::uint32_t> target_ids,
         bind::In<std::uint64_t> link_offsets, bind::In<std::uint32_t> link_sources,
         bind::In<std::uint32_t> link_targets, const StringIndex& source_vocabulary,
         const StringIndex& target_vocabulary, bind::In<std::uint32_t> source_classes,
         bind::In<std::uint32_t> target_classes, const reorder::ExampleOptions& options,
         bind::In<std::uint64_t> keys, const std::string& path, const std::string& meta,
         bind::Done done) {
        const grammar::AlignedCorpus corpus =
            bind::corpus_of(source_offsets, source_ids, target_offsets, target_ids,
                            bind::links_of(link_offsets, link_sources, link_targets));
        const reorder::ExampleWords words{source_vocabulary, target_vocabulary,
                                          bind::span_of(source_classes),
                                          bind::span_of(target_classes)};
        nb::gil_scoped_release release;
        reorder::build_examples(corpus, words, options, bind::span_of(keys), path, meta,
                                [&](std::size_t sentences) {
                                  nb::gil_scoped_acquire acquire;
                                  done(sentences);
                                });
      },
      "source_offsets"_a, "source_ids"_a, "target_offsets"_a, "target_ids"_a, "link_offsets"_a,
      "link_sources"_a, "link_targets"_a, "source_vocabulary"_a, "target_vocabulary"_a,
      "source_classes"_a, "target_classes"_a, "options"_a, "keys"_a, "path"_a, "meta"_a, "done"_a);
  nb::class_<reorder::MaxentModel>(m, "MaxentModel")
      .def(nb::init<const std::string&>(), "path"_a)
      .def_prop_ro("meta", &reorder::MaxentModel::meta)
      .def_prop_ro(
          "classes",
          [](const reorder::MaxentModel& self) { return static_cast<int>(self.classes()); })
      .def_prop_ro("previous", &reorder::MaxentModel::previous)
      .def_prop_ro("next", &reorder::MaxentModel::next)
      .def_prop_ro("single", &reorder::MaxentModel::single)
      .def("give_back", &reorder::MaxentModel::give_back);
}

}  // namespace

void register_reorder(nb::module_& m) {
  nb::class_<reorder::Examples>(m, "OrientationExamples")
      .def(
          "__init__",
          [](reorder::Examples* self, bind::In<std::uint64_t> offsets,
             bind::In<std::uint32_t> features, bind::In<std::uint8_t> classes,
             std::uint32_t feature_count, int class_count) {
            const reorder::Examples examples{bind::span_of(offsets), bind::span_of(features),
                                             bind::span_of(classes), feature_count, class_count};
            {
              nb::gil_scoped_release release;
              reorder::check_examples(examples);
            }
            new (self) reorder::Examples(examples);
          },
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(),
          "offsets"_a.noconvert(), "features"_a.noconvert(), "classes"_a.noconvert(),
          "feature_count"_a, "class_count"_a)
      // Loss and number of errors.
      .def(
          "measure",
          [](const reorder::Examples& self, bind::In<double> weights, int threads) {
            check_weights(self, weights);
            reorder::Fit fit;
            {
              nb::gil_scoped_release release;
              fit = reorder::measure(self, bind::span_of(weights), threads);
            }
            return bind::tuple_of(fit.loss, fit.errors);
          },
          "weights"_a, "threads"_a);
  register_model(m);
  register_primal(m);
  register_dual(m);
}
