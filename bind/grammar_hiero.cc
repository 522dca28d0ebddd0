#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "aligned_corpus.hh"
#include "grammar/scfg/build_hiero_index.hh"
#include "grammar/scfg/hiero_extractor.hh"
#include "grammar/scfg/read_scfg.hh"
#include "grammar/scfg/rule_scores.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using grammar::HieroExtractor;
using grammar::HieroOptions;

// Rules and the words that they are made of.
struct HieroRules {
  grammar::ScfgRules rules;
  std::shared_ptr<const grammar::HieroIndex> index;
};

std::shared_ptr<HieroExtractor> open_extractor(const std::string& path) {
  return std::make_shared<HieroExtractor>(std::make_shared<const grammar::HieroIndex>(path));
}

grammar::LeftOut left_out_of(const HieroExtractor& extractor, std::int64_t pair,
                             const bind::In<std::uint8_t>& pairs) {
  if (pairs.size() != 0 && pairs.size() != extractor.index().sentences())
    throw nb::value_error("marks of another number of pairs");
  return {pair, bind::span_of(pairs)};
}

// Words, and between which nodes of a lattice each stands; nothing for a sentence.
using InputTuple = std::tuple<std::vector<std::string>, grammar::PatternArcs>;

grammar::RuleInput to_input(const InputTuple& tuple) {
  return {std::get<0>(tuple), std::get<1>(tuple)};
}

// Words as text, non-terminals as the numbers 1 and 2.
using Symbols = std::vector<std::variant<int, std::string>>;

Symbols symbols_of(std::span<const grammar::Symbol> symbols, const StringIndex& words,
                   bool is_source) {
  Symbols out;
  int seen = 0;
  for (const grammar::Symbol symbol : symbols)
    if (grammar::is_nonterminal(symbol))
      out.emplace_back(is_source ? ++seen : grammar::label_or_place(symbol) + 1);
    else
      out.emplace_back(std::string(words.text(static_cast<std::uint32_t>(symbol))));
  return out;
}

// Both sides, features and links.
using Rule =
    std::tuple<Symbols, Symbols, std::map<std::string, float>, std::vector<std::tuple<int, int>>>;

Rule rule_of(const HieroRules& self, std::size_t i) {
  const grammar::ScfgRules& rules = self.rules;
  if (i >= rules.size()) throw nb::index_error();
  std::vector<std::tuple<int, int>> links;
  for (const std::uint16_t link : rules.links_of(i)) links.emplace_back(link >> 8, link & 0xFF);
  std::map<std::string, float> features;
  const auto names = grammar::hiero_feature_names(self.index->corpora());
  const auto ids = rules.ids_of(i);
  const auto values = rules.values_of(i);
  for (std::size_t k = 0; k < ids.size(); ++k) features[names[ids[k]]] = values[k];
  return {symbols_of(rules.source_of(i), self.index->source_words(), true),
          symbols_of(rules.target_of(i), self.index->target_words(), false), features, links};
}

}  // namespace

void register_grammar_hiero(nb::module_& m) {
  nb::class_<HieroOptions>(m, "HieroOptions")
      .def(nb::init<>())
      .def_rw("max_span", &HieroOptions::max_span)
      .def_rw("max_target_span", &HieroOptions::max_target_span)
      .def_rw("max_input_span", &HieroOptions::max_input_span)
      .def_rw("max_symbols", &HieroOptions::max_symbols)
      .def_rw("max_nonterminals", &HieroOptions::max_nonterminals)
      .def_rw("min_gap", &HieroOptions::min_gap)
      .def_rw("tight", &HieroOptions::tight)
      .def_rw("deletions", &HieroOptions::deletions)
      .def_rw("samples", &HieroOptions::samples)
      .def_rw("candidates", &HieroOptions::candidates)
      .def_rw("frequent", &HieroOptions::frequent)
      .def_rw("smoothing", &HieroOptions::smoothing);

  m.def(
      "build_hiero_index",
      [](bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
         bind::In<std::uint64_t> target_offsets, bind::In<std::uint32_t> target_ids,
         bind::In<std::uint64_t> link_offsets, bind::In<std::uint32_t> link_sources,
         bind::In<std::uint32_t> link_targets, const StringIndex& source_vocabulary,
         const StringIndex& target_vocabulary, const HieroOptions& options, const std::string& path,
         const std::string& meta, int threads, bind::In<std::uint8_t> origins, int corpora) {
        grammar::AlignedCorpus corpus =
            bind::corpus_of(source_offsets, source_ids, target_offsets, target_ids,
                            bind::links_of(link_offsets, link_sources, link_targets));
        corpus.origins = bind::span_of(origins);
        corpus.corpora = corpora;
        nb::gil_scoped_release release;
        grammar::build_hiero_index(corpus, source_vocabulary, target_vocabulary, options, path,
                                   meta, threads);
      },
      "source_offsets"_a, "source_ids"_a, "target_offsets"_a, "target_ids"_a, "link_offsets"_a,
      "link_sources"_a, "link_targets"_a, "source_vocabulary"_a, "target_vocabulary"_a, "options"_a,
      "path"_a, "meta"_a, "threads"_a, "origins"_a, "corpora"_a);

  nb::class_<HieroRules>(m, "HieroRules")
      .def("__len__", [](const HieroRules& self) { return self.rules.size(); })
      .def("rule", &rule_of, "index"_a)
      .def("grammar", [](const HieroRules& self) {
        nb::gil_scoped_release release;
        grammar::ScfgGrammar out{
            self.rules, self.index->source_words(), self.index->target_words(), {}, {}, {}};
        out.labels.add("X");
        for (const std::string& name : grammar::hiero_feature_names(self.index->corpora()))
          out.features.add(name);
        return out;
      });

  nb::class_<HieroExtractor>(m, "HieroExtractor")
      .def(nb::new_(&open_extractor), "path"_a)
      .def_prop_ro("sentences", [](const HieroExtractor& self) { return self.index().sentences(); })
      .def_prop_ro("corpora", [](const HieroExtractor& self) { return self.index().corpora(); })
      .def_prop_ro("source_tokens",
                   [](const HieroExtractor& self) { return self.index().source_tokens(); })
      .def_prop_ro("target_tokens",
                   [](const HieroExtractor& self) { return self.index().target_tokens(); })
      .def_prop_ro("bytes", [](const HieroExtractor& self) { return self.index().bytes(); })
      .def_prop_ro("meta",
                   [](const HieroExtractor& self) { return std::string(self.index().meta()); })
      .def_static("feature_names", &HieroExtractor::feature_names)
      .def(
          "rules_for",
          [](const HieroExtractor& self, const InputTuple& input, std::int64_t pair,
             bind::In<std::uint8_t> pairs) {
            const grammar::LeftOut left_out = left_out_of(self, pair, pairs);
            nb::gil_scoped_release release;
            return HieroRules{self.rules_for(to_input(input), left_out), self.shared_index()};
          },
          "input"_a, "pair"_a, "pairs"_a)
      .def(
          "rules_for_text",
          [](const HieroExtractor& self, const std::vector<InputTuple>& tuples, std::int64_t pair,
             bind::In<std::uint8_t> pairs, int threads) {
            const grammar::LeftOut left_out = left_out_of(self, pair, pairs);
            nb::gil_scoped_release release;
            std::vector<grammar::RuleInput> inputs;
            for (const InputTuple& tuple : tuples) inputs.push_back(to_input(tuple));
            return HieroRules{self.rules_for_text(inputs, left_out, threads), self.shared_index()};
          },
          "inputs"_a, "pair"_a, "pairs"_a, "threads"_a)
      .def(
          "filtered",
          [](const HieroExtractor& self, const HieroRules& rules, const InputTuple& input) {
            nb::gil_scoped_release release;
            return HieroRules{self.filtered(rules.rules, to_input(input)), self.shared_index()};
          },
          "rules"_a, "input"_a);
}
