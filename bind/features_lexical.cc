#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "features/lexical_model.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_features_lexical(nb::module_& m) {
  nb::enum_<features::AtomLevel>(m, "AtomLevel")
      .value("WORD", features::AtomLevel::kWord)
      .value("CHARACTER", features::AtomLevel::kCharacter)
      .value("CLASS", features::AtomLevel::kClass)
      .value("TYPE", features::AtomLevel::kType);
  m.def(
      "word_type",
      [](std::string_view word) { return features::word_type_name(features::word_type(word)); },
      "word"_a);
  nb::class_<features::LexicalOptions>(m, "LexicalOptions")
      .def(nb::init<>())
      .def_rw("levels", &features::LexicalOptions::levels)
      .def_rw("costs", &features::LexicalOptions::costs)
      .def_rw("source_only", &features::LexicalOptions::source_only)
      .def_rw("budget", &features::LexicalOptions::budget)
      .def_rw("max_atoms", &features::LexicalOptions::max_atoms)
      .def_rw("rule_ids", &features::LexicalOptions::rule_ids)
      .def_rw("edges", &features::LexicalOptions::edges)
      .def_rw("source_edges", &features::LexicalOptions::source_edges)
      .def_rw("rule_pairs", &features::LexicalOptions::rule_pairs)
      .def_rw("history", &features::LexicalOptions::history);

  nb::class_<features::LexicalModel>(m, "LexicalModel")
      .def(
          "__init__",
          [](features::LexicalModel* self, const features::LexicalOptions& options,
             const std::vector<std::string>& source_words,
             const std::vector<std::vector<std::string>>& source_classes,
             const std::vector<std::string>& target_words,
             const std::vector<std::vector<std::string>>& target_classes, int bits, int min_count) {
            features::WeightTable weights(bits);
            weights.set_min_count(min_count);
            new (self) features::LexicalModel(
                options, features::WordAtoms(options.levels, source_words, source_classes),
                features::WordAtoms(options.levels, target_words, target_classes),
                std::move(weights));
          },
          "options"_a, "source_words"_a, "source_classes"_a, "target_words"_a, "target_classes"_a,
          "bits"_a, "min_count"_a)
      .def_static("load", &features::LexicalModel::load, "path"_a,
                  nb::call_guard<nb::gil_scoped_release>())
      .def("save", &features::LexicalModel::save, "path"_a, "all"_a, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def(
          "copy",
          [](const features::LexicalModel& self) { return self.with_weights(self.weights()); },
          nb::call_guard<nb::gil_scoped_release>())
      // The same features without weights.
      .def("emptied",
           [](const features::LexicalModel& self) {
             features::WeightTable weights(self.weights().bits());
             weights.set_min_count(self.weights().min_count());
             return self.with_weights(std::move(weights));
           })
      .def("__len__", [](const features::LexicalModel& self) { return self.weights().size(); })
      .def_prop_ro("meta", &features::LexicalModel::meta)
      .def_prop_ro("levels",
                   [](const features::LexicalModel& self) { return self.source().levels(); })
      .def_prop_ro("memory",
                   [](const features::LexicalModel& self) { return self.weights().memory(); })
      .def_prop_ro(
          "features_per_rule",
          [](const features::LexicalModel& self) { return self.templates().features_per_rule(); })
      .def(
          "class_members",
          [](const features::LexicalModel& self, bool target, int level, std::size_t most) {
            const features::WordAtoms& words = target ? self.target() : self.source();
            if (level < 0 || level >= words.levels()) throw nb::index_error();
            return words.members(level, most);
          },
          "target"_a, "level"_a, "most"_a)
      .def("entries",
           [](const features::LexicalModel& self) {
             std::vector<std::uint64_t> keys;
             std::vector<float> values;
             for (const features::KeyChange& entry : self.weights().entries()) {
               keys.push_back(entry.key);
               values.push_back(entry.change);
             }
             return bind::tuple_of(bind::to_numpy(std::move(keys)),
                                   bind::to_numpy(std::move(values)));
           })
      // What a learner does, for tests and for those who bring weights of their own.
      .def(
          "add",
          [](features::LexicalModel& self, bind::In<std::uint64_t> keys, bind::In<float> changes,
             double step, int threads) {
            if (keys.size() != changes.size()) throw nb::value_error("keys and changes differ");
            std::vector<features::KeyChange> both(keys.size());
            for (std::size_t i = 0; i < both.size(); ++i)
              both[i] = {keys.data()[i], changes.data()[i]};
            self.weights().add(both, step, threads);
          },
          "keys"_a, "changes"_a, "step"_a = 0.0, "threads"_a = 1)
      .def(
          "averaged",
          [](const features::LexicalModel& self, double steps) {
            return self.with_weights(self.weights().averaged(steps));
          },
          "steps"_a)
      .def(
          "weight",
          [](const features::LexicalModel& self, std::uint64_t key) {
            return self.weights().weight(key);
          },
          "key"_a);
}
