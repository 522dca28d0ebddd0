#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <string_view>
#include <vector>

#include "arrays.hh"
#include "base/code_points.hh"
#include "base/error.hh"
#include "corpus/casing.hh"
#include "corpus/encode.hh"
#include "corpus/moses_detokenizer.hh"
#include "corpus/moses_tokenizer.hh"
#include "engine/parallel.hh"
#include "text.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

nb::tuple to_tuple(EncodedLines&& encoded) {
  return nb::make_tuple(bind::to_numpy(std::move(encoded.offsets)),
                        bind::to_numpy(std::move(encoded.ids)));
}

void set_class(CharacterClasses& classes, CharacterClasses::Class flag, std::string_view chars) {
  std::vector<std::uint32_t> points;
  for (std::size_t at = 0; at < chars.size();) points.push_back(next_code_point(chars, at));
  classes.set(flag, points);
}

// Maps every line on its own; transform(line, worker) gives the new one.
template <typename Transform>
nb::list map_lines(nb::list lines, int threads, const Transform& transform) {
  const std::vector<std::string_view> views = bind::views_of(lines);
  std::vector<std::string> results(views.size());
  {
    nb::gil_scoped_release release;
    parallel_for_worker(
        views.size(), threads,
        [&](std::size_t i, int worker) { results[i] = transform(views[i], worker); }, 256);
  }
  nb::list out;
  for (const std::string& line : results) out.append(nb::str(line.data(), line.size()));
  return out;
}

void register_moses(nb::module_& m) {
  nb::enum_<Apostrophes>(m, "Apostrophes")
      .value("APART", Apostrophes::kApart)
      .value("ENGLISH", Apostrophes::kEnglish)
      .value("FRENCH", Apostrophes::kFrench);
  nb::enum_<DetokenizerLanguage>(m, "DetokenizerLanguage")
      .value("OTHER", DetokenizerLanguage::kOther)
      .value("ENGLISH", DetokenizerLanguage::kEnglish)
      .value("FRENCH", DetokenizerLanguage::kFrench)
      .value("ITALIAN", DetokenizerLanguage::kItalian)
      .value("CZECH", DetokenizerLanguage::kCzech)
      .value("KOREAN", DetokenizerLanguage::kKorean);
  nb::enum_<CharacterClasses::Class>(m, "CharacterClass")
      .value("ALNUM", CharacterClasses::kAlnum)
      .value("NUMBER", CharacterClasses::kNumber)
      .value("ALPHA", CharacterClasses::kAlpha)
      .value("LOWER", CharacterClasses::kLower)
      .value("EXTEND", CharacterClasses::kExtend)
      .value("OPENING", CharacterClasses::kOpening)
      .value("CJK", CharacterClasses::kCjk);

  nb::class_<MosesTokenizer>(m, "MosesTokenizer")
      .def(nb::init<>())
      .def_rw("apostrophes", &MosesTokenizer::apostrophes)
      .def_rw("split_hyphens", &MosesTokenizer::split_hyphens)
      .def("set_class", [](MosesTokenizer& self, CharacterClasses::Class flag,
                           std::string_view chars) { set_class(self.classes, flag, chars); })
      .def("add_abbreviation",
           [](MosesTokenizer& self, std::string_view word, bool numeric) {
             (numeric ? self.numeric_abbreviations : self.abbreviations).add(word);
           })
      .def(
          "tokenize",
          [](const MosesTokenizer& self, nb::list lines, int threads) {
            std::vector<MosesTokenizer::Scratch> scratch(resolve_threads(threads));
            return map_lines(lines, threads, [&](std::string_view line, int worker) {
              return self(line, scratch[worker]);
            });
          },
          "lines"_a, "threads"_a);

  nb::class_<MosesDetokenizer>(m, "MosesDetokenizer")
      .def(nb::init<>())
      .def_rw("language", &MosesDetokenizer::language)
      .def("set_class", [](MosesDetokenizer& self, CharacterClasses::Class flag,
                           std::string_view chars) { set_class(self.classes, flag, chars); })
      .def(
          "detokenize",
          [](const MosesDetokenizer& self, nb::list lines, int threads) {
            return map_lines(lines, threads,
                             [&](std::string_view line, int) { return self(line); });
          },
          "lines"_a, "threads"_a);
}

}  // namespace

void register_corpus(nb::module_& m) {
  register_moses(m);
  m.def(
      "encode_lines",
      [](StringIndex& vocabulary, nb::list lines, bool grow, int threads) {
        const std::vector<std::string_view> views = bind::views_of(lines);
        EncodedLines encoded;
        {
          nb::gil_scoped_release release;
          encoded = grow ? encode_lines(vocabulary, views, threads)
                         : encode_known(vocabulary, views, threads);
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
          const std::string line = decode_line(vocabulary, all.subspan(begin, end - begin));
          lines.append(nb::str(line.data(), line.size()));
        }
        return lines;
      },
      "vocabulary"_a, "offsets"_a, "ids"_a);

  m.def(
      "count_inside",
      [](bind::In<std::uint64_t> offsets, bind::In<std::uint32_t> ids,
         bind::In<std::uint8_t> kinds) {
        return bind::to_numpy(
            count_inside(bind::span_of(offsets), bind::span_of(ids), bind::span_of(kinds)));
      },
      "offsets"_a, "ids"_a, "kinds"_a);
  m.def(
      "replace_words",
      [](bind::In<std::uint64_t> offsets, bind::In<std::uint32_t> ids, bind::In<std::uint8_t> kinds,
         bind::In<std::uint32_t> at_start, bind::In<std::uint32_t> inside) {
        return bind::to_numpy(replace_words(bind::span_of(offsets), bind::span_of(ids),
                                            bind::span_of(kinds), bind::span_of(at_start),
                                            bind::span_of(inside)));
      },
      "offsets"_a, "ids"_a, "kinds"_a, "at_start"_a, "inside"_a);
}
