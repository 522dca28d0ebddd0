#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "align/decode.hh"
#include "align/scores.hh"
#include "align/trainer.hh"
#include "base/error.hh"
#include "links.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

using Offsets = bind::In<std::uint64_t>;
using Words = bind::In<std::uint32_t>;
using Floats = bind::In<float>;

// Ids may be unknown only where a trained model meets new text.
align::TextView text_of(const Offsets& offsets, const Words& words, std::uint32_t vocabulary,
                        bool unknown_allowed) {
  bind::check_offsets(bind::span_of(offsets), words.size());
  for (const std::uint32_t word : bind::span_of(words))
    if (word >= vocabulary && !(unknown_allowed && word == align::kUnknownWord))
      throw nb::value_error("word id outside the vocabulary");
  return {bind::span_of(offsets), bind::span_of(words), vocabulary};
}

align::PairView pairs_of(const align::TextView& source, const align::TextView& target,
                         std::uint32_t max_length) {
  if (source.size() != target.size()) throw nb::value_error("sides differ in length");
  return {source, target, max_length};
}

align::LexiconView lexicon_of(const Offsets& rows, const Words& targets, const Floats& forward,
                              const Floats& reverse, const Floats& null_forward,
                              const Floats& null_reverse) {
  if (forward.size() != targets.size() || reverse.size() != targets.size() ||
      rows.size() != null_reverse.size() + 1)
    throw Error("tables of the lexicon that differ in length");
  return {bind::span_of(rows),    bind::span_of(targets),      bind::span_of(forward),
          bind::span_of(reverse), bind::span_of(null_forward), bind::span_of(null_reverse)};
}

// What a file may have got wrong although its checksums are right.
void check_lexicon(const Offsets& rows, const Words& targets, const Floats& forward,
                   const Floats& reverse, const Floats& null_forward, const Floats& null_reverse) {
  const align::LexiconView lexicon =
      lexicon_of(rows, targets, forward, reverse, null_forward, null_reverse);
  const nb::gil_scoped_release release;
  bool good = !lexicon.rows.empty() && lexicon.rows.front() == 0 &&
              lexicon.rows.back() == lexicon.targets.size();
  for (std::size_t e = 0; good && e + 1 < lexicon.rows.size(); ++e)
    good = lexicon.rows[e] <= lexicon.rows[e + 1];
  for (const std::uint32_t f : lexicon.targets) good = good && f < lexicon.null_forward.size();
  if (!good) throw Error("rows of the lexicon that do not fit");
  for (const auto values :
       {lexicon.forward, lexicon.reverse, lexicon.null_forward, lexicon.null_reverse})
    for (const float p : values) good = good && p >= 0.0F && p < 2.0F;
  if (!good) throw Error("a translation probability outside its range");
}

align::Positions positions_of(std::string_view name) {
  if (name == "ibm1") return align::Positions::kUniform;
  if (name == "ibm2") return align::Positions::kDiagonal;
  if (name == "hmm") return align::Positions::kJumps;
  throw OptionError("model " + quoted(name) + ", expected one of: ibm1, ibm2, hmm");
}

align::Smoothing smoothing_of(std::string_view name) {
  if (name == "none") return align::Smoothing::kNone;
  if (name == "dirichlet") return align::Smoothing::kDirichlet;
  if (name == "variational") return align::Smoothing::kVariational;
  throw OptionError("smoothing " + quoted(name) +
                    ", expected one of: none, dirichlet, variational");
}

align::Direction make_direction(std::string_view model, double null_probability, double tension,
                                std::vector<float> jump, std::vector<float> first,
                                double uniform_jumps) {
  if (first.size() < 2 || jump.size() != 2 * first.size() - 1)
    throw Error("jump weights that do not fit");
  for (const auto* weights : {&jump, &first})
    for (const float weight : *weights)
      if (!(weight > 0.0F && weight <= 1.0F)) throw Error("a jump weight outside its range");
  if (!(null_probability >= 0.0 && null_probability < 1.0) ||
      !(uniform_jumps >= 0.0 && uniform_jumps < 1.0) ||
      !(tension >= align::kMinTension && tension <= align::kMaxTension))
    throw Error("a parameter of a direction outside its range");
  align::Direction out{positions_of(model), null_probability, tension, {}, uniform_jumps};
  out.jumps.reach = static_cast<std::uint32_t>(first.size() - 2);
  out.jumps.jump = std::move(jump);
  out.jumps.first = std::move(first);
  return out;
}

auto lexicon_arrays(align::Lexicon lexicon) {
  return bind::tuple_of(
      bind::to_numpy(std::move(lexicon.rows)), bind::to_numpy(std::move(lexicon.targets)),
      bind::to_numpy(std::move(lexicon.forward)), bind::to_numpy(std::move(lexicon.reverse)),
      bind::to_numpy(std::move(lexicon.null_forward)),
      bind::to_numpy(std::move(lexicon.null_reverse)));
}

template <typename Work>
auto likelihood_of(Work work) {
  align::LogLikelihood likelihood;
  {
    const nb::gil_scoped_release release;
    likelihood = work();
  }
  return bind::tuple_of(likelihood.forward, likelihood.reverse);
}

void register_training(nb::module_& m) {
  nb::class_<align::Direction>(m, "AlignmentDirection")
      .def(nb::new_(&make_direction), "model"_a, "null_probability"_a, "tension"_a, "jump"_a,
           "first"_a, "uniform_jumps"_a)
      .def_ro("null_probability", &align::Direction::null_probability)
      .def_ro("tension", &align::Direction::tension)
      .def_ro("uniform_jumps", &align::Direction::uniform_jumps)
      .def_prop_ro("jump", [](const align::Direction& self) { return self.jumps.jump; })
      .def_prop_ro("first", [](const align::Direction& self) { return self.jumps.first; });

  m.def("initial_jumps", [](std::uint32_t reach) {
    const align::JumpWeights weights = align::JumpWeights::initial(reach);
    return bind::tuple_of(weights.jump, weights.first);
  });

  nb::class_<align::StepOptions>(m, "AlignmentStep")
      .def(
          "__init__",
          [](align::StepOptions* self, double null_probability, bool agreement,
             std::string_view smoothing, double alpha, int threads) {
            new (self) align::StepOptions{
                null_probability, agreement, {smoothing_of(smoothing), alpha}, threads};
          },
          "null_probability"_a, "agreement"_a, "smoothing"_a, "alpha"_a, "threads"_a);

  nb::class_<align::AlignmentTrainer>(m, "AlignmentTrainer")
      .def(
          "__init__",
          [](align::AlignmentTrainer* self, Offsets source_offsets, Words source_words,
             std::uint32_t source_vocabulary, Offsets target_offsets, Words target_words,
             std::uint32_t target_vocabulary, std::uint32_t max_length, int threads) {
            const align::PairView text = pairs_of(
                text_of(source_offsets, source_words, source_vocabulary, false),
                text_of(target_offsets, target_words, target_vocabulary, false), max_length);
            const nb::gil_scoped_release release;
            new (self) align::AlignmentTrainer(text, threads);
          },
          // The trainer looks at the arrays as long as it lives, so they may not be copies.
          nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 5>(),
          nb::keep_alive<1, 6>(), "source_offsets"_a.noconvert(), "source_words"_a.noconvert(),
          "source_vocabulary"_a, "target_offsets"_a.noconvert(), "target_words"_a.noconvert(),
          "target_vocabulary"_a, "max_length"_a, "threads"_a)
      // One that does some of the work of another, whose lexicon it gets (`copy_lexicon`).
      .def_static(
          "of",
          [](Offsets source_offsets, Words source_words, Offsets target_offsets, Words target_words,
             std::uint32_t max_length, Offsets rows, Words targets, Floats forward, Floats reverse,
             Floats null_forward, Floats null_reverse) {
            const align::LexiconView view =
                lexicon_of(rows, targets, forward, reverse, null_forward, null_reverse);
            const auto words = [](const Floats& null) {
              return static_cast<std::uint32_t>(null.size());
            };
            const align::PairView text = pairs_of(
                text_of(source_offsets, source_words, words(null_reverse), false),
                text_of(target_offsets, target_words, words(null_forward), false), max_length);
            const auto copy = [](const auto span) { return std::vector(span.begin(), span.end()); };
            align::Lexicon lexicon{copy(view.rows),         copy(view.targets),
                                   copy(view.forward),      copy(view.reverse),
                                   copy(view.null_forward), copy(view.null_reverse)};
            const nb::gil_scoped_release release;
            return std::make_unique<align::AlignmentTrainer>(text, std::move(lexicon));
          },
          nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>(), nb::keep_alive<0, 3>(),
          nb::keep_alive<0, 4>(), "source_offsets"_a.noconvert(), "source_words"_a.noconvert(),
          "target_offsets"_a.noconvert(), "target_words"_a.noconvert(), "max_length"_a, "rows"_a,
          "targets"_a, "forward"_a, "reverse"_a, "null_forward"_a, "null_reverse"_a)
      .def_prop_ro("distinct_pairs", &align::AlignmentTrainer::distinct_pairs)
      .def_prop_ro("pairs",
                   [](const align::AlignmentTrainer& self) { return self.lexicon.pairs(); })
      .def("memory", &align::AlignmentTrainer::memory, "ibm1_first"_a, "agreement"_a)
      .def("start", &align::AlignmentTrainer::start, nb::call_guard<nb::gil_scoped_release>())
      .def("normalisers", &align::AlignmentTrainer::normalisers,
           nb::call_guard<nb::gil_scoped_release>(), "options"_a, "first"_a, "last"_a)
      .def("rows", &align::AlignmentTrainer::rows, nb::call_guard<nb::gil_scoped_release>(),
           "normalisers"_a, "options"_a, "first"_a, "last"_a)
      .def(
          "finish_ibm1",
          [](align::AlignmentTrainer& self, const align::Normalisers& all,
             const align::StepOptions& options) {
            return likelihood_of([&] { return self.finish_ibm1(all, options); });
          },
          "normalisers"_a, "options"_a)
      .def_prop_ro("blocks", &align::AlignmentTrainer::blocks)
      .def("expect", &align::AlignmentTrainer::expect, nb::call_guard<nb::gil_scoped_release>(),
           "options"_a, "first"_a, "last"_a)
      // The counts are used up.
      .def(
          "maximise",
          [](align::AlignmentTrainer& self, std::vector<align::ExpectedCounts*> shards,
             const align::StepOptions& options) {
            std::vector<align::ExpectedCounts> taken;
            for (align::ExpectedCounts* shard : shards) taken.push_back(std::move(*shard));
            return likelihood_of([&] { return self.maximise(std::move(taken), options); });
          },
          "counts"_a, "options"_a)
      // What `rows` has changed: forward and reverse of the rows of source words [first, last).
      .def(
          "row_values",
          [](const align::AlignmentTrainer& self, std::uint32_t first, std::uint32_t last) {
            const auto part = [&](const std::vector<float>& values) {
              const auto at = values.begin();
              return bind::to_numpy(
                  std::vector<float>(at + static_cast<std::ptrdiff_t>(self.lexicon.rows.at(first)),
                                     at + static_cast<std::ptrdiff_t>(self.lexicon.rows.at(last))));
            };
            return bind::tuple_of(part(self.lexicon.forward), part(self.lexicon.reverse));
          },
          "first"_a, "last"_a)
      .def(
          "set_row_values",
          [](align::AlignmentTrainer& self, std::uint32_t first, const Floats& forward,
             const Floats& reverse) {
            const std::uint64_t begin = self.lexicon.rows.at(first);
            if (forward.size() != reverse.size() ||
                begin + forward.size() > self.lexicon.forward.size())
              throw nb::value_error("values of other rows");
            std::copy_n(forward.data(), forward.size(), self.lexicon.forward.data() + begin);
            std::copy_n(reverse.data(), reverse.size(), self.lexicon.reverse.data() + begin);
          },
          "first"_a, "forward"_a, "reverse"_a)
      .def(
          "prune",
          [](align::AlignmentTrainer& self, float threshold) {
            align::prune(self.lexicon, threshold);
          },
          nb::call_guard<nb::gil_scoped_release>(), "threshold"_a)
      .def_rw("forward", &align::AlignmentTrainer::forward)
      .def_rw("reverse", &align::AlignmentTrainer::reverse)
      // The arrays of LexiconView in their order; the lexicon leaves the trainer, or is copied.
      .def("take_lexicon",
           [](align::AlignmentTrainer& self) {
             return lexicon_arrays(std::exchange(self.lexicon, {}));
           })
      .def("copy_lexicon",
           [](const align::AlignmentTrainer& self) { return lexicon_arrays(self.lexicon); });
}

}  // namespace

void register_align(nb::module_& m) {
  m.def(
      "symmetrise",
      [](bind::In<std::uint64_t> forward_offsets, bind::In<std::uint32_t> forward_source,
         bind::In<std::uint32_t> forward_target, bind::In<std::uint64_t> reverse_offsets,
         bind::In<std::uint32_t> reverse_source, bind::In<std::uint32_t> reverse_target,
         std::string_view method, int threads) {
        const formats::LinkView forward =
            bind::links_of(forward_offsets, forward_source, forward_target);
        const formats::LinkView reverse =
            bind::links_of(reverse_offsets, reverse_source, reverse_target);
        formats::LinkLists links;
        {
          const nb::gil_scoped_release release;
          links = align::symmetrise(forward, reverse, align::symmetrisation_of(method), threads);
        }
        return bind::to_python(std::move(links));
      },
      "forward_offsets"_a, "forward_source"_a, "forward_target"_a, "reverse_offsets"_a,
      "reverse_source"_a, "reverse_target"_a, "method"_a, "threads"_a);

  register_training(m);

  m.def("check_lexicon", &check_lexicon, "rows"_a, "targets"_a, "forward"_a, "reverse"_a,
        "null_forward"_a, "null_reverse"_a);

  // The lexicon must have passed check_lexicon. An empty method: links by probability.
  m.def(
      "align_text",
      [](Offsets source_offsets, Words source_words, Offsets target_offsets, Words target_words,
         std::uint32_t max_length, Offsets rows, Words targets, Floats lexicon_forward,
         Floats lexicon_reverse, Floats null_forward, Floats null_reverse,
         const align::Direction& forward, const align::Direction& reverse, std::string_view method,
         double threshold, int threads) {
        const align::LexiconView lexicon =
            lexicon_of(rows, targets, lexicon_forward, lexicon_reverse, null_forward, null_reverse);
        const auto size = [](const Floats& words) {
          return static_cast<std::uint32_t>(words.size());
        };
        const align::PairView text =
            pairs_of(text_of(source_offsets, source_words, size(null_reverse), true),
                     text_of(target_offsets, target_words, size(null_forward), true), max_length);
        align::LinkOptions options;
        options.threshold = threshold;
        options.threads = threads;
        formats::LinkLists links;
        {
          const nb::gil_scoped_release release;
          if (!method.empty()) options.symmetrisation = align::symmetrisation_of(method);
          links = align::align(text, lexicon, forward, reverse, options);
        }
        return bind::to_python(std::move(links));
      },
      "source_offsets"_a, "source_words"_a, "target_offsets"_a, "target_words"_a, "max_length"_a,
      "rows"_a, "targets"_a, "forward"_a, "reverse"_a, "null_forward"_a, "null_reverse"_a,
      "forward_direction"_a, "reverse_direction"_a, "method"_a, "threshold"_a, "threads"_a);

  // The lexicon must have passed check_lexicon.
  m.def(
      "score_pairs",
      [](Offsets source_offsets, Words source_words, Offsets target_offsets, Words target_words,
         Offsets rows, Words targets, Floats lexicon_forward, Floats lexicon_reverse,
         Floats null_forward, Floats null_reverse, const align::Direction& forward,
         const align::Direction& reverse, int threads) {
        const align::LexiconView lexicon =
            lexicon_of(rows, targets, lexicon_forward, lexicon_reverse, null_forward, null_reverse);
        const auto words = [](const Floats& null) {
          return static_cast<std::uint32_t>(null.size());
        };
        const align::PairView text =
            pairs_of(text_of(source_offsets, source_words, words(null_reverse), true),
                     text_of(target_offsets, target_words, words(null_forward), true), 0);
        align::PairScores scores;
        {
          const nb::gil_scoped_release release;
          scores = align::score_pairs(text, lexicon, forward, reverse, threads);
        }
        return bind::tuple_of(bind::to_numpy(std::move(scores.forward)),
                              bind::to_numpy(std::move(scores.reverse)),
                              bind::to_numpy(std::move(scores.missing)));
      },
      "source_offsets"_a, "source_words"_a, "target_offsets"_a, "target_words"_a, "rows"_a,
      "targets"_a, "forward"_a, "reverse"_a, "null_forward"_a, "null_reverse"_a,
      "forward_direction"_a, "reverse_direction"_a, "threads"_a);
}
