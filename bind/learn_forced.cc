#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "grammar/recount_table.hh"
#include "learn/forced_counts.hh"
#include "training_text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_learn_forced(nb::module_& m) {
  // (counts of the first table's rules, whole pairs, prefixes, pairs without a derivation)
  m.def(
      "forced_counts",
      [](const decode::PhraseModel& model, bind::In<double> weights,
         const decode::TrainingText& pairs, const decode::ForcedOptions& options, int threads,
         bind::Done done) {
        learn::ForcedCounts out;
        {
          nb::gil_scoped_release release;
          out = learn::forced_counts(model, bind::span_of(weights), pairs, options, threads,
                                     [&](std::size_t n) {
                                       nb::gil_scoped_acquire acquire;
                                       done(n);
                                     });
        }
        return bind::tuple_of(bind::to_numpy(std::move(out.counts)), out.whole, out.prefixes,
                              out.without);
      },
      "model"_a, "weights"_a, "pairs"_a, "options"_a, "threads"_a, "done"_a);
  m.def(
      "write_recounted_rules",
      [](const grammar::PhraseTable& table, bind::In<std::uint32_t> counts, const std::string& path,
         const std::string& meta) {
        nb::gil_scoped_release release;
        grammar::write_recounted_rules(table, bind::span_of(counts), path, meta);
      },
      "table"_a, "counts"_a, "path"_a, "meta"_a);
}
