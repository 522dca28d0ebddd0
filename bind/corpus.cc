#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string_view>
#include <vector>

#include "arrays.hh"
#include "base/code_points.hh"
#include "base/error.hh"
#include "corpus/encode.hh"
#include "corpus/moses_tokenizer.hh"
#include "engine/parallel.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

auto to_tuple(corpus::EncodedLines&& encoded) {
  return bind::tuple_of(bind::to_numpy(std::move(encoded.offsets)),
                        bind::to_numpy(std::move(encoded.ids)));
}

void register_moses(nb::module_& m) {
  nb::enum_<corpus::Apostrophes>(m, "Apostrophes")
      .value("INSIDE", corpus::Apostrophes::kInside)
      .value("ENGLISH", corpus::Apostrophes::kEnglish)
      .value("FRENCH", corpus::Apostrophes::kFrench);
  nb::enum_<corpus::CharacterClasses::Class>(m, "CharacterClass")
      .value("ALNUM", corpus::CharacterClasses::kAlnum)
      .value("NUMBER", corpus::CharacterClasses::kNumber)
      .value("ALPHA", corpus::CharacterClasses::kAlpha)
      .value("LOWER", corpus::CharacterClasses::kLower)
      .value("EXTEND", corpus::CharacterClasses::kExtend);

  nb::class_<corpus::MosesTokenizer>(m, "MosesTokenizer")
      .def(nb::init<>())
      .def_rw("apostrophes", &corpus::MosesTokenizer::apostrophes)
      .def_rw("split_hyphens", &corpus::MosesTokenizer::split_hyphens)
      .def_rw("colons_inside", &corpus::MosesTokenizer::colons_inside)
      .def("set_class",
           [](corpus::MosesTokenizer& self, corpus::CharacterClasses::Class flag,
              std::string_view chars) {
             std::vector<std::uint32_t> points;
             for (std::size_t at = 0; at < chars.size();)
               points.push_back(next_code_point(chars, at));
             self.classes.set(flag, points);
           })
      .def("add_abbreviation",
           [](corpus::MosesTokenizer& self, std::string_view word, bool numeric) {
             (numeric ? self.numeric_abbreviations : self.abbreviations).add(word);
           })
      .def(
          "tokenize",
          [](const corpus::MosesTokenizer& self, bind::Lines lines, int threads) {
            std::vector<corpus::MosesTokenizer::Scratch> scratch(engine::resolve_threads(threads));
            return bind::map_lines(lines, threads, [&](std::string_view line, int worker) {
              return self(line, scratch[worker]);
            });
          },
          "lines"_a, "threads"_a);
}

}  // namespace

void register_corpus(nb::module_& m) {
  register_moses(m);
  m.def(
      "encode_lines",
      [](StringIndex& vocabulary, bind::Lines lines, bool grow, int threads) {
        const std::vector<std::string_view> views = bind::views_of(lines);
        corpus::EncodedLines encoded;
        {
          nb::gil_scoped_release release;
          encoded = grow ? corpus::encode_lines(vocabulary, views, threads)
                         : corpus::encode_known(vocabulary, views, threads);
        }
        return to_tuple(std::move(encoded));
      },
      "vocabulary"_a, "lines"_a, "grow"_a, "threads"_a);

  m.def(
      "decode_lines",
      [](const StringIndex& vocabulary, bind::In<std::uint64_t> offsets,
         bind::In<std::uint32_t> ids) {
        nb::list lines;
        const auto all = bind::span_of(ids);
        for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
          const std::uint64_t begin = offsets(i), end = offsets(i + 1);
          if (begin > end || end > all.size()) throw Error("sentence offsets out of order");
          const std::string line = corpus::decode_line(vocabulary, all.subspan(begin, end - begin));
          lines.append(nb::str(line.data(), line.size()));
        }
        return bind::list_of<nb::str>(std::move(lines));
      },
      "vocabulary"_a, "offsets"_a, "ids"_a);
}
