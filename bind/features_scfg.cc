#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hh"
#include "features/scfg/grammar_features.hh"
#include "features/scfg/named_weights.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

std::vector<features::RuleFeature> features_of(const features::GrammarFeatures& features,
                                               std::uint32_t rule) {
  if (rule >= features.rules()) throw nb::index_error();
  features::FeatureScratch scratch;
  std::vector<features::RuleFeature> found;
  features.add(rule, scratch, found);
  return found;
}

}  // namespace

void register_features_scfg(nb::module_& m) {
  m.def("name_key", &features::name_key, "name"_a);
  nb::class_<features::ScfgTemplate>(m, "ScfgTemplate");
  m.def("rule_ids", &features::rule_ids);
  m.def(
      "rule_ngrams",
      [](bool target, std::vector<int> sizes) {
        return features::rule_ngrams(
            target ? features::RuleSide::kTarget : features::RuleSide::kSource, std::move(sizes));
      },
      "target"_a, "sizes"_a);
  m.def("pair_ngrams", &features::pair_ngrams, "sizes"_a);
  m.def("rule_shapes", &features::rule_shapes);
  m.def("rule_edges", &features::rule_edges, "model"_a, "levels"_a);
  // Those of phrase pairs.
  m.def(
      "scfg_target_unaligned",
      [](std::vector<std::string> words) {
        return features::as_of_phrases([words] { return features::target_unaligned(words); });
      },
      "words"_a);
  m.def(
      "scfg_count_bin",
      [](std::vector<double> bounds) {
        return features::as_of_phrases([bounds] { return features::count_bin(bounds); });
      },
      "bounds"_a);
  m.def(
      "scfg_word_pair",
      [](std::vector<std::string> source_words, std::vector<std::string> target_words) {
        return features::as_of_phrases([source_words, target_words] {
          return features::word_pair(source_words, target_words);
        });
      },
      "source_words"_a, "target_words"_a);
  m.def("scfg_length_bin",
        [] { return features::as_of_phrases([] { return features::length_bin(); }); });

  // Rules as users' templates get them.
  nb::class_<features::RuleParts>(m, "ScfgRuleReader")
      .def(nb::init<std::shared_ptr<const grammar::ScfgGrammar>>(), "grammar"_a)
      // Both sides, links, how often the source side and the rule were seen (0: not known).
      .def(
          "rule",
          [](const features::RuleParts& self, std::uint32_t rule) {
            if (rule >= self.rules().size()) throw nb::index_error();
            std::vector<std::tuple<int, int>> links;
            for (const std::uint16_t link : self.rules().links_of(rule))
              links.emplace_back(link >> 8, link & 0xFF);
            const auto [source, target] = features::rule_texts(self.grammar(), rule);
            return std::tuple(source, target, links, self.source_count(rule),
                              self.joint_count(rule));
          },
          "rule"_a);

  nb::class_<features::NamedWeights>(m, "NamedWeights")
      .def(
          "__init__",
          [](features::NamedWeights* self, const std::vector<std::string>& names,
             bind::In<double> values) {
            new (self) features::NamedWeights(names, bind::span_of(values));
          },
          "names"_a, "values"_a)
      .def(
          "add",
          [](features::NamedWeights& self, const std::vector<std::string>& names,
             bind::In<double> changes) { self.add(names, bind::span_of(changes)); },
          "names"_a, "changes"_a);

  nb::class_<features::GrammarFeatures>(m, "GrammarFeatures")
      .def(
          "__init__",
          // `ends`, `ids`, `values`: features that were computed elsewhere, with ids of `names`.
          [](features::GrammarFeatures* self,
             std::vector<std::shared_ptr<const features::ScfgTemplate>> templates,
             std::shared_ptr<const grammar::ScfgGrammar> grammar, bind::In<std::uint64_t> ends,
             bind::In<std::uint32_t> ids, bind::In<float> values, const StringIndex& names) {
            const features::GivenRows given{bind::span_of(ends), bind::span_of(ids),
                                            bind::span_of(values)};
            nb::gil_scoped_release release;
            new (self)
                features::GrammarFeatures(std::move(templates), std::move(grammar), given, names);
          },
          "templates"_a, "grammar"_a, "ends"_a, "ids"_a, "values"_a, "names"_a)
      // The hashes by which weights know the features of a rule, in the order of of_rule().
      .def(
          "keys",
          [](const features::GrammarFeatures& self, std::uint32_t rule) {
            std::vector<std::uint64_t> keys;
            for (const features::RuleFeature& one : features_of(self, rule))
              keys.push_back(one.key);
            return keys;
          },
          "rule"_a)
      // Names and values of a rule's features; a name may come twice.
      .def(
          "of_rule",
          [](const features::GrammarFeatures& self, std::uint32_t rule) {
            const std::vector<features::RuleFeature> found = features_of(self, rule);
            const std::vector<std::string> names = self.names(rule);
            std::vector<std::pair<std::string, float>> out;
            for (std::size_t i = 0; i < found.size(); ++i)
              out.emplace_back(names[i], found[i].value);
            return out;
          },
          "rule"_a);
}
