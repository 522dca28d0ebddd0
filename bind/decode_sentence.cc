#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "decode/search_options.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// (begin, end, target words) and (begin, end, scores).
using Forced = std::vector<std::tuple<int, int, std::vector<std::string>>>;
using Arcs = std::vector<std::tuple<int, int, std::vector<float>>>;
using Spans = std::vector<std::pair<int, int>>;
using WordList = std::vector<std::string>;

}  // namespace

void register_decode_sentence(nb::module_& m) {
  nb::class_<decode::SourceSentence>(m, "SourceSentence")
      .def(
          "__init__",
          [](decode::SourceSentence* self, WordList words, WordList copies, Forced forced,
             std::vector<int> walls, Spans zones, Spans enclosures, Arcs arcs,
             std::vector<WordList> forbidden) {
            decode::SourceSentence sentence{.words = std::move(words),
                                            .copies = std::move(copies),
                                            .walls = std::move(walls),
                                            .zones = std::move(zones),
                                            .enclosures = std::move(enclosures),
                                            .forbidden = std::move(forbidden)};
            for (auto& [begin, end, target] : forced)
              sentence.forced.push_back({begin, end, std::move(target)});
            for (auto& [begin, end, scores] : arcs)
              sentence.arcs.push_back({begin, end, std::move(scores)});
            new (self) decode::SourceSentence(std::move(sentence));
          },
          "words"_a, nb::kw_only(), "copies"_a = WordList(), "forced"_a = Forced(),
          "walls"_a = std::vector<int>(), "zones"_a = Spans(), "enclosures"_a = Spans(),
          "arcs"_a = Arcs(), "forbidden"_a = std::vector<WordList>());
}
