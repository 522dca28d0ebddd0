#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "grammar/extract.hh"
#include "grammar/layer_rules.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

std::vector<std::string_view> views(const std::vector<std::string>& words) {
  return {words.begin(), words.end()};
}

// [(source begin, end, target begin, end)]
std::vector<std::tuple<int, int, int, int>> phrase_pairs(
    int source_size, int target_size, const std::vector<std::tuple<int, int>>& links,
    int max_length) {
  constexpr int kMost = 0xFFFF;
  if (source_size < 0 || target_size < 0 || source_size > kMost || target_size > kMost)
    throw nb::value_error("a sentence that is too long");
  if (max_length < 1 || max_length > grammar::kMaxExtractedLength)
    throw nb::value_error("a longest phrase that is none");
  std::vector<std::uint32_t> from, to;
  for (const auto& [s, t] : links) {
    if (s < 0 || s >= source_size || t < 0 || t >= target_size)
      throw nb::value_error("a link outside its sentence");
    from.push_back(static_cast<std::uint32_t>(s));
    to.push_back(static_cast<std::uint32_t>(t));
  }
  grammar::ExtractionOptions options;
  options.max_source_length = options.max_target_length = max_length;
  std::vector<grammar::PhrasePair> found;
  grammar::PhraseExtractor(options).extract(source_size, target_size, from, to, found);
  std::vector<std::tuple<int, int, int, int>> out;
  for (const grammar::PhrasePair& pair : found)
    out.emplace_back(pair.source_begin, pair.source_begin + pair.source_length, pair.target_begin,
                     pair.target_begin + pair.target_length);
  return out;
}

}  // namespace

void register_grammar_layer(nb::module_& m) {
  nb::class_<grammar::LayerRules>(m, "LayerRules")
      .def(nb::init<int, int>(), "scores"_a, "reordering"_a)
      .def(nb::init<const grammar::PhraseTable&, int>(), "table"_a, "scores"_a)
      .def("__len__", &grammar::LayerRules::rules)
      .def(
          "add",
          [](grammar::LayerRules& self, const std::vector<std::string>& source,
             const std::vector<std::string>& target, const std::vector<float>& scores,
             const std::vector<float>& reordering, const std::vector<std::tuple<int, int>>& links,
             bool is_new, bool is_whole) {
            const auto f = views(source), e = views(target);
            std::vector<std::uint16_t> packed;
            for (const auto& [s, t] : links) packed.push_back(grammar::pack_link(s, t));
            return self.add({f, e, scores, reordering, packed, is_new, is_whole});
          },
          "source"_a, "target"_a, "scores"_a, "reordering"_a, "links"_a, "is_new"_a, "is_whole"_a)
      .def(
          "has",
          [](const grammar::LayerRules& self, const std::vector<std::string>& source,
             const std::vector<std::string>& target) {
            return self.has(views(source), views(target));
          },
          "source"_a, "target"_a)
      .def("write", &grammar::LayerRules::write, "path"_a, "meta"_a,
           nb::call_guard<nb::gil_scoped_release>());
  m.def("layer_features", [] {
    return std::vector<std::string>(grammar::kLayerNames.begin(), grammar::kLayerNames.end());
  });
  // The phrase pairs of a sentence pair that are consistent with its links.
  m.def("phrase_pairs", &phrase_pairs, "source_size"_a, "target_size"_a, "links"_a, "max_length"_a);
}
