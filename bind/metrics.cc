#include <nanobind/nanobind.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unordered_map.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "arrays.hh"
#include "base/error.hh"
#include "metrics/bleu.hh"
#include "metrics/chrf.hh"
#include "metrics/error_rate.hh"
#include "metrics/gain.hh"
#include "metrics/preprocess.hh"
#include "metrics/scorer.hh"
#include "metrics/ter.hh"
#include "metrics/tokenize.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// The UTF-8 of Python's strings, and what keeps the strings alive while the lock is released.
struct Texts {
  Texts(nb::handle texts, const char* what) : owner(nb::steal(PySequence_Tuple(texts.ptr()))) {
    if (!owner) throw nb::python_error();
    const auto count = static_cast<std::size_t>(PyTuple_GET_SIZE(owner.ptr()));
    views.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      PyObject* const text = PyTuple_GET_ITEM(owner.ptr(), i);
      if (!PyUnicode_Check(text))
        throw OptionError(std::string(what) + " " + std::to_string(i) +
                          " is not a string; every sentence needs one in every file");
      Py_ssize_t size = 0;
      const char* data = PyUnicode_AsUTF8AndSize(text, &size);
      if (!data) {
        PyErr_Clear();
        throw OptionError(std::string(what) + " " + std::to_string(i) +
                          " cannot be written as UTF-8 (a lone surrogate)");
      }
      views[i] = {data, static_cast<std::size_t>(size)};
    }
  }
  nb::object owner;
  std::vector<std::string_view> views;
};

struct ReferenceTexts {
  explicit ReferenceTexts(const bind::ReferenceFiles& files) {
    for (nb::handle file : files) {
      Texts texts(file, "reference");
      owners.append(texts.owner);
      views.push_back(std::move(texts.views));
    }
  }
  nb::list owners;
  metrics::References views;
};

// A Python function of one string. Native threads may call it, so it takes the lock itself; so does
// its end, wherever the last copy of it goes.
using Rewrite = nb::typed<nb::callable, nb::str(nb::str)>;

metrics::TextFilter text_filter(Rewrite function) {
  std::shared_ptr<nb::callable> kept(new nb::callable(std::move(function)), [](nb::callable* f) {
    nb::gil_scoped_acquire lock;
    delete f;
  });
  return [kept](std::string_view text) {
    nb::gil_scoped_acquire lock;
    return nb::cast<std::string>((*kept)(nb::str(text.data(), text.size())));
  };
}

void check_size(const metrics::Gain& gain, std::size_t size) {
  if (size != static_cast<std::size_t>(gain.size()))
    throw OptionError("there are " + std::to_string(size) + " statistics a hypothesis, expected " +
                      std::to_string(gain.size()));
}

void register_gains(nb::module_& m) {
  nb::class_<metrics::Gain>(m, "Gain")
      .def_prop_ro("size", &metrics::Gain::size)
      .def(
          "__call__",
          [](const metrics::Gain& self, bind::In<double> sums) {
            check_size(self, sums.size());
            return self(sums.data());
          },
          "sums"_a)
      .def(
          "rows",
          [](const metrics::Gain& self, bind::In<std::int32_t, 2> stats,
             std::optional<bind::In<double>> background, int threads) {
            check_size(self, stats.shape(1));
            if (background) check_size(self, background->size());
            std::vector<double> out(stats.shape(0));
            {
              nb::gil_scoped_release release;
              metrics::background_gains(self, stats.data(), out.size(),
                                        background ? background->data() : nullptr, out.data(),
                                        threads);
            }
            return bind::to_numpy(std::move(out));
          },
          "stats"_a, "background"_a = nb::none(), "threads"_a = 1)
      .def(
          "substitutions",
          [](const metrics::Gain& self, bind::In<std::int32_t, 2> stats,
             bind::In<std::uint32_t> sentences, bind::In<std::int32_t, 2> chosen, int threads) {
            check_size(self, stats.shape(1));
            check_size(self, chosen.shape(1));
            if (sentences.size() != stats.shape(0))
              throw OptionError("statistics and sentence numbers differ in count");
            std::vector<double> out(stats.shape(0));
            {
              nb::gil_scoped_release release;
              metrics::substitution_gains(self, stats.data(), out.size(), sentences.data(),
                                          chosen.data(), chosen.shape(0), out.data(), threads);
            }
            return bind::to_numpy(std::move(out));
          },
          "stats"_a, "sentences"_a, "chosen"_a, "threads"_a = 1);

  nb::enum_<metrics::BleuSmoothing>(m, "BleuSmoothing")
      .value("none", metrics::BleuSmoothing::kNone)
      .value("floor", metrics::BleuSmoothing::kFloor)
      .value("add_k", metrics::BleuSmoothing::kAddK)
      .value("exp", metrics::BleuSmoothing::kExp);
  nb::class_<metrics::BleuGain, metrics::Gain>(m, "BleuGain")
      .def(nb::init<int, metrics::BleuSmoothing, double, bool, double>(), "order"_a = 4,
           "smoothing"_a = metrics::BleuSmoothing::kNone, "value"_a = 0.0,
           "effective_order"_a = false, "longer"_a = 0.0);
  nb::class_<metrics::InterpolatedBleuGain, metrics::Gain>(m, "InterpolatedBleuGain")
      .def(nb::init<int>(), "order"_a = 4);
  nb::class_<metrics::ChrfGain, metrics::Gain>(m, "ChrfGain")
      .def(nb::init<int, double, bool>(), "orders"_a, "beta"_a, "eps_smoothing"_a = false);
  nb::class_<metrics::ErrorRateGain, metrics::Gain>(m, "ErrorRateGain")
      .def(nb::init<bool>(), "count_all_against_nothing"_a = false);
  nb::class_<metrics::MeanGain, metrics::Gain>(m, "MeanGain")
      .def(nb::init<double, bool>(), "scale"_a, "higher_is_better"_a = true);
  nb::class_<metrics::WeightedGain, metrics::Gain>(m, "WeightedGain")
      .def(nb::init<std::vector<std::shared_ptr<const metrics::Gain>>, std::vector<double>>(),
           "parts"_a, "weights"_a);
}

void register_preprocess(nb::module_& m) {
  nb::class_<metrics::Lowercase>(m, "Lowercase")
      .def(
          "__init__",
          [](metrics::Lowercase* self, std::unordered_map<std::uint32_t, std::string> letters,
             Rewrite exact) {
            new (self) metrics::Lowercase(std::move(letters), text_filter(std::move(exact)));
          },
          "letters"_a, "exact"_a)
      .def(
          "__call__",
          [](const metrics::Lowercase& self, std::string_view text) {
            std::string out;
            self(text, out);
            return out;
          },
          "text"_a);
  nb::class_<metrics::Preprocess>(m, "Preprocess")
      .def(
          "__init__",
          [](metrics::Preprocess* self, std::shared_ptr<const metrics::Lowercase> lowercase,
             std::string_view tokenizer, std::optional<Rewrite> filter) {
            using Tokenizer = metrics::Preprocess::Tokenizer;
            new (self) metrics::Preprocess{std::move(lowercase)};
            if (filter) {
              self->tokenizer = Tokenizer::kFilter;
              self->filter = text_filter(std::move(*filter));
            } else if (tokenizer == "13a") {
              self->tokenizer = Tokenizer::k13a;
            } else if (tokenizer != "none") {
              throw OptionError("no native tokeniser " + quoted(tokenizer));
            }
          },
          "lowercase"_a = nb::none(), "tokenizer"_a = "none", "filter"_a = nb::none());
  m.def("tokenize_13a", [](std::string_view text) {
    std::string out, scratch;
    metrics::tokenize_13a(text, out, scratch);
    return out;
  });
}

void register_scorers(nb::module_& m) {
  nb::class_<metrics::SegmentScorer>(m, "SegmentScorer")
      .def_prop_ro("size", &metrics::SegmentScorer::size)
      .def_prop_ro("sentences", &metrics::SegmentScorer::sentences)
      .def(
          "stats",
          [](const metrics::SegmentScorer& self, nb::typed<nb::iterable, nb::str> hypotheses,
             bind::In<std::uint32_t> sentences, int threads) {
            const Texts texts(hypotheses, "hypothesis");
            if (texts.views.size() != sentences.size())
              throw OptionError(std::to_string(texts.views.size()) + " hypotheses, but " +
                                std::to_string(sentences.size()) + " sentence numbers");
            const auto size = static_cast<std::size_t>(self.size());
            std::vector<std::int32_t> out(texts.views.size() * size);
            {
              nb::gil_scoped_release release;
              metrics::batch_stats(self, texts.views, sentences.data(), out.data(), threads);
            }
            return bind::to_numpy(std::move(out), {texts.views.size(), size});
          },
          "hypotheses"_a, "sentences"_a, "threads"_a = 1);
  nb::class_<metrics::ColumnScorer, metrics::SegmentScorer>(m, "ColumnScorer")
      .def(nb::init<std::uint32_t>(), "sentences"_a);
  nb::class_<metrics::CombinedScorer, metrics::SegmentScorer>(m, "CombinedScorer")
      .def(nb::init<std::vector<std::shared_ptr<const metrics::SegmentScorer>>>(), "parts"_a);

  nb::enum_<metrics::BleuOptions::Length>(m, "BleuLength")
      .value("closest", metrics::BleuOptions::Length::kClosest)
      .value("shortest", metrics::BleuOptions::Length::kShortest)
      .value("average", metrics::BleuOptions::Length::kAverage);
  nb::class_<metrics::BleuScorer, metrics::SegmentScorer>(m, "BleuScorer")
      .def(
          "__init__",
          [](metrics::BleuScorer* self, bind::ReferenceFiles references, int order,
             metrics::BleuOptions::Length length, const metrics::Preprocess& preprocess) {
            const ReferenceTexts texts(references);
            nb::gil_scoped_release release;
            new (self) metrics::BleuScorer({order, length, preprocess}, texts.views);
          },
          "references"_a, "order"_a, "length"_a, "preprocess"_a);

  nb::class_<metrics::ChrfScorer, metrics::SegmentScorer>(m, "ChrfScorer")
      .def(
          "__init__",
          [](metrics::ChrfScorer* self, bind::ReferenceFiles references, int char_order,
             int word_order, double beta, bool whitespace, bool eps_smoothing,
             const metrics::Preprocess& preprocess) {
            const ReferenceTexts texts(references);
            nb::gil_scoped_release release;
            new (self) metrics::ChrfScorer(
                {char_order, word_order, beta, whitespace, eps_smoothing, preprocess}, texts.views);
          },
          "references"_a, "char_order"_a, "word_order"_a, "beta"_a, "whitespace"_a,
          "eps_smoothing"_a, "preprocess"_a);
  nb::class_<metrics::TerScorer, metrics::SegmentScorer>(m, "TerScorer")
      .def(
          "__init__",
          [](metrics::TerScorer* self, bind::ReferenceFiles references,
             const metrics::Preprocess& preprocess) {
            const ReferenceTexts texts(references);
            nb::gil_scoped_release release;
            new (self) metrics::TerScorer(preprocess, texts.views);
          },
          "references"_a, "preprocess"_a);
  nb::class_<metrics::ErrorRateScorer, metrics::SegmentScorer>(m, "ErrorRateScorer")
      .def(
          "__init__",
          [](metrics::ErrorRateScorer* self, bind::ReferenceFiles references, bool characters,
             const metrics::Preprocess& preprocess) {
            const ReferenceTexts texts(references);
            nb::gil_scoped_release release;
            const metrics::ErrorUnit unit =
                characters ? metrics::ErrorUnit::kCharacter : metrics::ErrorUnit::kWord;
            new (self) metrics::ErrorRateScorer(unit, preprocess, texts.views);
          },
          "references"_a, "characters"_a, "preprocess"_a);
}

}  // namespace

void register_metrics(nb::module_& m) {
  register_gains(m);
  register_preprocess(m);
  register_scorers(m);
}
