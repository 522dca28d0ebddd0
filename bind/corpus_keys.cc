#include <nanobind/nanobind.h>

#include "arrays.hh"
#include "corpus/sentence_keys.hh"
#include "text.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_corpus_keys(nb::module_& m) {
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
