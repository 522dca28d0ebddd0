#include "metrics/consensus.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "text_lists.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Weights = bind::In<double>;

// What `work(lists, out, size of statistics)` writes, done without Python's lock.
template <typename Measure, typename Work>
bind::Out<double> gains_of(const Measure& measure, const metrics::Gain& gain,
                           const bind::TextBytes& bytes, const bind::TextOffsets& text_offsets,
                           const bind::TextOffsets& offsets, const Weights& weights,
                           const Work& work) {
  const std::vector<std::string_view> texts = bind::text_views(bytes, text_offsets);
  const metrics::TextLists lists{texts, bind::list_offsets(offsets, texts.size()),
                                 bind::span_of(weights)};
  if (weights.size() != texts.size())
    throw OptionError(std::to_string(weights.size()) + " weights of " +
                      std::to_string(texts.size()) + " texts");
  if (gain.size() != measure.size())
    throw OptionError("a gain of " + std::to_string(gain.size()) + " statistics, expected " +
                      std::to_string(measure.size()));
  std::vector<double> out(texts.size());
  {
    const nb::gil_scoped_release release;
    work(lists, out.data());
  }
  return bind::to_numpy(std::move(out));
}

}  // namespace

void register_consensus(nb::module_& m) {
  nb::class_<metrics::OverlapMetric>(m, "OverlapMetric");
  nb::class_<metrics::BleuOverlap, metrics::OverlapMetric>(m, "BleuOverlap")
      .def(nb::init<int, metrics::Preprocess>(), "order"_a, "preprocess"_a);
  nb::class_<metrics::ChrfOverlap, metrics::OverlapMetric>(m, "ChrfOverlap")
      .def(
          "__init__",
          [](metrics::ChrfOverlap* self, int char_order, int word_order, bool whitespace,
             const metrics::Preprocess& preprocess) {
            metrics::ChrfOptions options;
            options.char_order = char_order;
            options.word_order = word_order;
            options.whitespace = whitespace;
            options.preprocess = preprocess;
            new (self) metrics::ChrfOverlap(std::move(options));
          },
          "char_order"_a, "word_order"_a, "whitespace"_a, "preprocess"_a);

  m.def(
      "expected_gains",
      [](const metrics::OverlapMetric& metric, const metrics::Gain& gain, bind::TextBytes bytes,
         bind::TextOffsets text_offsets, bind::TextOffsets offsets, Weights weights, bool aggregate,
         int threads) {
        return gains_of(metric, gain, bytes, text_offsets, offsets, weights,
                        [&](const metrics::TextLists& lists, double* out) {
                          if (aggregate)
                            metrics::aggregated_gains(metric, gain, lists, out, threads);
                          else
                            metrics::expected_gains(metric, gain, lists, out, threads);
                        });
      },
      "metric"_a, "gain"_a, "text_bytes"_a, "text_offsets"_a, "offsets"_a, "weights"_a,
      "aggregate"_a, "threads"_a);
  // Text number t is the reference of the scorer's sentence t.
  m.def(
      "expected_scorer_gains",
      [](const metrics::SegmentScorer& scorer, const metrics::Gain& gain, bind::TextBytes bytes,
         bind::TextOffsets text_offsets, bind::TextOffsets offsets, Weights weights, int threads) {
        if (scorer.sentences() + 1ULL != text_offsets.size())
          throw OptionError("a scorer of other texts");
        return gains_of(scorer, gain, bytes, text_offsets, offsets, weights,
                        [&](const metrics::TextLists& lists, double* out) {
                          metrics::expected_gains(scorer, gain, lists, out, threads);
                        });
      },
      "scorer"_a, "gain"_a, "text_bytes"_a, "text_offsets"_a, "offsets"_a, "weights"_a,
      "threads"_a);
}
