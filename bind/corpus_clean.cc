#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "arrays.hh"
#include "corpus/cleaner.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

corpus::ScriptTable to_table(bind::In<std::uint8_t> scripts) {
  const auto values = bind::span_of(scripts);
  return {values.begin(), values.end()};
}

}  // namespace

void register_corpus_clean(nb::module_& m) {
  nb::class_<corpus::CleanOptions>(m, "CleanOptions")
      .def(nb::init<>())
      .def_rw("max_words", &corpus::CleanOptions::max_words)
      .def_rw("max_ratio", &corpus::CleanOptions::max_ratio)
      .def_rw("min_script", &corpus::CleanOptions::min_script)
      .def_rw("remove_identical", &corpus::CleanOptions::remove_identical)
      .def_rw("remove_duplicates", &corpus::CleanOptions::remove_duplicates);

  nb::class_<corpus::Cleaner>(m, "Cleaner")
      .def(
          "__init__",
          [](corpus::Cleaner* self, const corpus::CleanOptions& options,
             bind::In<std::uint8_t> scripts, std::uint8_t source_script,
             std::uint8_t target_script) {
            new (self) corpus::Cleaner(options, to_table(scripts), source_script, target_script);
          },
          "options"_a, "scripts"_a, "source_script"_a, "target_script"_a)
      .def(
          "judge",
          [](corpus::Cleaner& self, bind::Lines sources, bind::Lines targets, int threads) {
            const auto left = bind::views_of(sources), right = bind::views_of(targets);
            std::vector<std::uint8_t> verdicts;
            {
              nb::gil_scoped_release release;
              verdicts = self.judge(left, right, threads);
            }
            return bind::to_numpy(std::move(verdicts));
          },
          "sources"_a, "targets"_a, "threads"_a);

  m.def(
      "count_scripts",
      [](bind::In<std::uint8_t> scripts, bind::Lines lines, int threads) {
        const auto counts =
            corpus::count_scripts(to_table(scripts), bind::views_of(lines), threads);
        return bind::to_numpy(std::vector<std::uint64_t>(counts.begin(), counts.end()));
      },
      "scripts"_a, "lines"_a, "threads"_a);
  m.def(
      "hash_lines",
      [](bind::Lines lines, int threads) {
        return bind::to_numpy(corpus::hash_lines(bind::views_of(lines), threads));
      },
      "lines"_a, "threads"_a);
  m.def(
      "group_by_sentence",
      [](bind::In<std::uint64_t> sources, bind::In<std::uint64_t> targets) {
        return bind::to_numpy(
            corpus::group_by_sentence(bind::span_of(sources), bind::span_of(targets)));
      },
      "sources"_a, "targets"_a);
}
