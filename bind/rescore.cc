#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include "rescore/text_counts.hh"
#include "text_lists.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

template <typename Work>
auto counted(const Work& work) {
  decltype(work()) counts;
  {
    const nb::gil_scoped_release release;
    counts = work();
  }
  return bind::to_numpy(std::move(counts));
}

}  // namespace

void register_rescore(nb::module_& m) {
  m.def(
      "text_lengths",
      [](bind::TextBytes bytes, bind::TextOffsets text_offsets, bool characters, int threads) {
        const auto texts = bind::text_views(bytes, text_offsets);
        return counted([&] { return rescore::lengths(texts, characters, threads); });
      },
      "text_bytes"_a, "text_offsets"_a, "characters"_a, "threads"_a);
  m.def(
      "first_equal_texts",
      [](bind::TextBytes bytes, bind::TextOffsets text_offsets, bind::TextOffsets offsets,
         int threads) {
        const auto texts = bind::text_views(bytes, text_offsets);
        const auto lists = bind::list_offsets(offsets, texts.size());
        return counted([&] { return rescore::first_equals(texts, lists, threads); });
      },
      "text_bytes"_a, "text_offsets"_a, "offsets"_a, "threads"_a);
  m.def(
      "missing_copies",
      [](bind::TextBytes bytes, bind::TextOffsets text_offsets, bind::TextOffsets offsets,
         bind::TextBytes source_bytes, bind::TextOffsets source_offsets, bool numbers, bool urls,
         bool names, int threads) {
        const auto texts = bind::text_views(bytes, text_offsets);
        const auto lists = bind::list_offsets(offsets, texts.size());
        const auto sources = bind::text_views(source_bytes, source_offsets);
        if (sources.size() + 1 != lists.size()) throw OptionError("sources of other lists");
        return counted([&] {
          return rescore::missing_copies(texts, lists, sources, {numbers, urls, names}, threads);
        });
      },
      "text_bytes"_a, "text_offsets"_a, "offsets"_a, "source_bytes"_a, "source_offsets"_a,
      "numbers"_a, "urls"_a, "names"_a, "threads"_a);
}
