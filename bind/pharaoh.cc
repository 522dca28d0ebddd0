#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include "links.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_pharaoh(nb::module_& m) {
  m.def(
      "parse_pharaoh",
      [](nb::bytes text, const std::string& path) {
        formats::LinkLists links;
        {
          const std::string_view view(text.c_str(), text.size());
          const nb::gil_scoped_release release;
          links = formats::parse_pharaoh(view, path);
        }
        return bind::to_python(std::move(links));
      },
      "text"_a, "path"_a);

  m.def(
      "format_pharaoh",
      [](bind::In<std::uint64_t> offsets, bind::In<std::uint32_t> source,
         bind::In<std::uint32_t> target, bind::In<std::uint8_t> possible,
         bind::In<float> probability, int digits) {
        const formats::LinkView links = bind::links_of(offsets, source, target);
        const auto parallel = [&](std::size_t size) {
          if (size != 0 && size != source.size())
            throw nb::value_error("arrays of links differ in length");
        };
        parallel(possible.size());
        parallel(probability.size());
        std::string text;
        {
          const nb::gil_scoped_release release;
          text = formats::format_pharaoh(links, bind::span_of(possible), bind::span_of(probability),
                                         digits);
        }
        return nb::bytes(text.data(), text.size());
      },
      "offsets"_a, "source"_a, "target"_a, "possible"_a, "probability"_a, "digits"_a);
}
