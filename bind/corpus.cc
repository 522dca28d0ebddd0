#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string_view>
#include <vector>

#include "arrays.hh"
#include "base/error.hh"
#include "corpus/encode.hh"
#include "text.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

nb::tuple to_tuple(EncodedLines&& encoded) {
  return nb::make_tuple(bind::to_numpy(std::move(encoded.offsets)),
                        bind::to_numpy(std::move(encoded.ids)));
}

}  // namespace

void register_corpus(nb::module_& m) {
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
}
