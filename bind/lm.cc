#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <nanobind/typing.h>

#include <optional>

#include "arrays.hh"
#include "base/error.hh"
#include "lm/arpa.hh"
#include "lm/batch.hh"
#include "lm/corpus.hh"
#include "lm/estimate.hh"
#include "lm/fragment.hh"
#include "lm/interpolate.hh"
#include "lm/model.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Text = nb::typed<nb::handle, nb::str>;
using Write = nb::typed<nb::callable, nb::object(nb::bytes)>;

// Hands pieces of text, as bytes, to a Python function.
std::function<void(std::string_view)> printer(const Write& write) {
  return [&write](std::string_view piece) { write(nb::bytes(piece.data(), piece.size())); };
}

// A sentence of more bytes is scored without Python's lock; for others that costs too much.
constexpr std::size_t kLongSentence = 4096;

// A list of (log10, length, unknown?), each a `type`, which must be a named tuple of three: made as
// a tuple makes it, without a Python function for each word.
nb::object word_scores(const lm::WordScores& scores, nb::handle type) {
  auto* const tuple_type = reinterpret_cast<PyTypeObject*>(type.ptr());
  if (!PyType_Check(type.ptr()) || !PyType_IsSubtype(tuple_type, &PyTuple_Type))
    throw nb::type_error("expected a type of tuples");
  nb::list out;
  for (std::size_t i = 0; i < scores.words.size(); ++i) {
    const nb::object item = nb::steal(tuple_type->tp_alloc(tuple_type, 3));
    if (!item.is_valid()) throw nb::python_error();
    PyTuple_SET_ITEM(item.ptr(), 0, nb::float_(scores.log10[i]).release().ptr());
    PyTuple_SET_ITEM(item.ptr(), 1, nb::int_(scores.length[i]).release().ptr());
    PyTuple_SET_ITEM(item.ptr(), 2, nb::bool_(scores.words[i] == lm::kUnknown).release().ptr());
    PyObject_GC_UnTrack(item.ptr());  // numbers form no cycles: nothing to look for in it, ever
    out.append(item);
  }
  return out;
}

constexpr const char* kEqual = "def __eq__(self, other: object, /) -> bool";

lm::WordId checked(const lm::Model& model, std::uint32_t word) {
  if (word >= model.vocabulary().size()) throw nb::index_error("not a word id of this model");
  return word;
}

}  // namespace

void register_lm(nb::module_& m) {
  nb::class_<lm::ArpaParser>(m, "ArpaParser")
      .def(nb::init<std::string>(), "path"_a)
      .def("feed",
           [](lm::ArpaParser& self, nb::bytes piece) {
             const std::string_view view(piece.c_str(), piece.size());
             const nb::gil_scoped_release release;
             self.feed(view);
           })
      .def(
          "finish", [](lm::ArpaParser& self) { return lm::build_model(self.finish()); },
          nb::call_guard<nb::gil_scoped_release>());

  nb::class_<lm::Corpus>(m, "LmCorpus")
      .def(nb::init<std::string, std::uint64_t, std::string>(), "path"_a, "memory"_a,
           "temporary_folder"_a)
      .def("feed",
           [](lm::Corpus& self, nb::bytes piece) {
             const std::string_view view(piece.c_str(), piece.size());
             const nb::gil_scoped_release release;
             self.feed(view);
           })
      .def("set_classes", &lm::Corpus::set_classes, "words"_a, "names"_a)
      .def_prop_ro("without_class", &lm::Corpus::without_class)
      .def("add_line", &lm::Corpus::add_line, "line"_a)
      .def(
          "add_sentences",
          [](lm::Corpus& self, const StringIndex& vocabulary, bind::In<std::uint64_t> offsets,
             bind::In<std::uint32_t> ids) {
            const nb::gil_scoped_release release;
            self.add_sentences({vocabulary, bind::span_of(offsets), bind::span_of(ids)});
          },
          "vocabulary"_a, "offsets"_a, "ids"_a)
      .def("finish", &lm::Corpus::finish)
      .def("next_file", &lm::Corpus::next_file, "path"_a)
      .def_prop_ro("lines", &lm::Corpus::lines);

  nb::class_<lm::EstimateOptions>(m, "LmEstimateOptions")
      .def(nb::init<>())
      .def_rw("order", &lm::EstimateOptions::order)
      .def_rw("prune", &lm::EstimateOptions::prune)
      .def_rw("vocabulary", &lm::EstimateOptions::vocabulary)
      .def_rw("max_words", &lm::EstimateOptions::max_words)
      .def_rw("threads", &lm::EstimateOptions::threads)
      .def_rw("memory", &lm::EstimateOptions::memory)
      .def_rw("temporary_folder", &lm::EstimateOptions::temporary_folder);

  nb::class_<lm::Discounts>(m, "LmDiscounts")
      .def_ro("amount", &lm::Discounts::amount)
      .def_ro("fallback", &lm::Discounts::fallback);

  nb::class_<lm::Estimate>(m, "LmEstimate")
      .def_ro("discounts", &lm::Estimate::discounts)
      .def_ro("unpruned", &lm::Estimate::unpruned)
      .def_prop_ro("used_files", [](const lm::Estimate& self) { return self.in_files.has_value(); })
      .def_prop_ro("counts", [](const lm::Estimate& self) { return self.counts(); })
      .def("write_arpa", [](lm::Estimate& self, Write write) { self.write_arpa(printer(write)); })
      .def("take_model", &lm::Estimate::take_model, nb::call_guard<nb::gil_scoped_release>());

  m.def("estimate_lm", &lm::estimate, "corpus"_a, "options"_a,
        nb::call_guard<nb::gil_scoped_release>());

  m.def(
      "interpolate_lms",
      [](const std::vector<std::shared_ptr<const lm::Model>>& models,
         const std::vector<double>& weights) {
        return lm::build_model(lm::interpolate_models(models, weights));
      },
      "models"_a, "weights"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("lm_unknown_shares", &lm::unknown_shares, "models"_a);

  nb::class_<lm::State>(m, "LmState")
      .def(
          "__eq__", [](lm::State a, lm::State b) { return a == b; }, nb::is_operator(),
          nb::sig(kEqual))
      .def("__hash__", [](lm::State state) { return state.node; });

  nb::class_<lm::Fragment>(m, "LmFragment")
      .def_prop_ro("left",
                   [](const lm::Fragment& self) {
                     return std::vector<std::uint32_t>(self.left, self.left + self.left_length);
                   })
      .def_ro("full", &lm::Fragment::full)
      .def_ro("right", &lm::Fragment::right)
      .def(
          "__eq__", [](const lm::Fragment& a, const lm::Fragment& b) { return a == b; },
          nb::is_operator(), nb::sig(kEqual))
      .def("__hash__", &lm::Fragment::hash);

  nb::class_<lm::Scorer>(m, "LmScorer")
      .def(nb::init<const lm::Model&>(), nb::keep_alive<1, 2>())
      .def("begin_sentence", &lm::Scorer::begin_sentence)
      .def(
          "word",
          [](lm::Scorer& self, std::uint32_t word) { self.word(checked(self.model(), word)); },
          "word"_a)
      .def("fragment", &lm::Scorer::fragment, "inner"_a)
      .def_prop_ro("score", &lm::Scorer::score)
      .def_prop_ro("result", &lm::Scorer::result, nb::rv_policy::copy);

  m.attr("Scored") = nb::type_var("Scored");
  nb::class_<lm::Model>(m, "LmModel")
      .def_static("map", &lm::Model::map, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("save", &lm::Model::save, "path"_a, nb::call_guard<nb::gil_scoped_release>())
      .def("write_arpa",
           [](const lm::Model& self, Write write) {
             lm::Ngrams ngrams;
             {
               const nb::gil_scoped_release release;
               ngrams = lm::unpack(self);
               lm::sort_ngrams(ngrams);
             }
             lm::write_arpa(ngrams, printer(write));
           })
      .def_prop_ro("order", &lm::Model::order)
      .def_prop_ro("has_classes", &lm::Model::has_classes)
      .def_prop_ro("counts",
                   [](const lm::Model& self) {
                     return std::vector<std::uint64_t>(self.counts().begin(), self.counts().end());
                   })
      .def_prop_ro("vocabulary_size",
                   [](const lm::Model& self) { return self.vocabulary().size(); })
      .def("word_id",
           [](const lm::Model& self, std::string_view word) { return self.lookup(word).id; })
      .def("spelling", [](const lm::Model& self,
                          std::uint32_t id) { return self.vocabulary().text(checked(self, id)); })
      .def("begin_state", &lm::Model::begin_state)
      .def("null_state", [](const lm::Model&) { return lm::Model::null_state(); })
      .def(
          "score_word",
          [](const lm::Model& self, lm::State in, std::uint32_t word) {
            lm::State out;
            const lm::WordScore scored = self.full_score(in, checked(self, word), out);
            return bind::tuple_of(scored.log10, scored.length, out);
          },
          "state"_a, "word"_a)
      .def(
          "extend",
          [](const lm::Model& self, lm::State in, const lm::Fragment& fragment) {
            lm::State out;
            const float change = lm::extend(self, in, fragment, out);
            return bind::tuple_of(change, out);
          },
          "state"_a, "fragment"_a)
      // Without names of arguments: to look for them costs as much as some words.
      .def("score_sentence",
           [](const lm::Model& self, Text sentence, bool begin, bool end) {
             const std::string_view text = bind::view_of(sentence, 0);
             std::optional<nb::gil_scoped_release> release;
             if (text.size() > kLongSentence) release.emplace();
             return lm::score_sentence(self, text, {begin, end});
           })
      .def(
          "score_each_word",
          [](const lm::Model& self, nb::handle sentence, bool begin, bool end, nb::handle type) {
            return word_scores(lm::score_words(self, bind::view_of(sentence, 0), {begin, end}),
                               type);
          },
          nb::sig("def score_each_word(self, sentence: str, begin: bool, end: bool, "
                  "type: type[Scored], /) -> list[Scored]"))
      .def(
          "score_sentences",
          [](const lm::Model& self, bind::Lines sentences, bool begin, bool end, int threads) {
            const std::vector<std::string_view> views = bind::views_of(sentences);
            std::vector<double> totals;
            {
              const nb::gil_scoped_release release;
              totals = lm::score_sentences(self, views, {begin, end}, threads);
            }
            return bind::to_numpy(std::move(totals));
          },
          "sentences"_a, "begin"_a, "end"_a, "threads"_a)
      .def(
          "score_words",
          [](const lm::Model& self, bind::Lines sentences, bool begin, bool end, int threads) {
            const std::vector<std::string_view> views = bind::views_of(sentences);
            lm::WordScores scores;
            {
              const nb::gil_scoped_release release;
              scores = lm::score_words(self, views, {begin, end}, threads);
            }
            return bind::tuple_of(
                bind::to_numpy(std::move(scores.offsets)), bind::to_numpy(std::move(scores.log10)),
                bind::to_numpy(std::move(scores.length)), bind::to_numpy(std::move(scores.words)));
          },
          "sentences"_a, "begin"_a, "end"_a, "threads"_a);
}
