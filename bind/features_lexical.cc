#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "features/lexical_model.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_features_lexical(nb::module_& m) {
  nb::enum_<AtomLevel>(m, "AtomLevel")
      .value("WORD", AtomLevel::kWord)
      .value("CHARACTER", AtomLevel::kCharacter)
      .value("CLASS", AtomLevel::kClass)
      .value("TYPE", AtomLevel::kType);
  m.def(
      "word_type", [](std::string_view word) { return word_type_name(word_type(word)); }, "word"_a);
  nb::class_<LexicalOptions>(m, "LexicalOptions")
      .def(nb::init<>())
      .def_rw("levels", &LexicalOptions::levels)
      .def_rw("costs", &LexicalOptions::costs)
      .def_rw("source_only", &LexicalOptions::source_only)
      .def_rw("budget", &LexicalOptions::budget)
      .def_rw("max_atoms", &LexicalOptions::max_atoms)
      .def_rw("rule_ids", &LexicalOptions::rule_ids)
      .def_rw("edges", &LexicalOptions::edges)
      .def_rw("source_edges", &LexicalOptions::source_edges)
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
      .def_static("load", &LexicalModel::load, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("save", &LexicalModel::save, "path"_a, "all"_a, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>())
      .def("__len__", [](const LexicalModel& self) { return self.weights().size(); })
      .def_prop_ro("meta", &LexicalModel::meta)
      .def_prop_ro("levels", [](const LexicalModel& self) { return self.source().levels(); })
      .def_prop_ro("memory", [](const LexicalModel& self) { return self.weights().memory(); })
      .def_prop_ro("features_per_rule",
                   [](const LexicalModel& self) { return self.templates().features_per_rule(); })
      .def(
          "class_members",
          [](const LexicalModel& self, bool target, int level, std::size_t most) {
            const WordAtoms& words = target ? self.target() : self.source();
            if (level < 0 || level >= words.levels()) throw nb::index_error();
            return words.members(level, most);
          },
          "target"_a, "level"_a, "most"_a)
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
}
