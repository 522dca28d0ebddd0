#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>

#include <algorithm>

#include "links.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

// An array of something that is said of every link, or of none.
void parallel(std::size_t size, std::size_t links) {
  if (size != 0 && size != links) throw nb::value_error("arrays of links differ in length");
}

}  // namespace

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

  // Throws unless the arrays of links fit together.
  m.def(
      "check_links",
      [](bind::In<std::uint64_t> offsets, bind::In<std::uint32_t> source,
         bind::In<std::uint32_t> target, bind::In<std::uint8_t> possible,
         bind::In<float> probability) {
        bind::links_of(offsets, source, target);
        parallel(possible.size(), source.size());
        parallel(probability.size(), source.size());
        const auto far = [](std::uint32_t place) { return place >= formats::kMaxLinkPosition; };
        if (std::ranges::any_of(bind::span_of(source), far) ||
            std::ranges::any_of(bind::span_of(target), far))
          throw nb::value_error("a link of a place that no sentence has");
        if (!std::ranges::all_of(bind::span_of(probability),
                                 [](float p) { return p >= 0.0F && p <= 1.0F; }))
          throw nb::value_error("a probability that is none");
      },
      "offsets"_a, "source"_a, "target"_a, "possible"_a, "probability"_a);

  m.def(
      "format_pharaoh",
      [](bind::In<std::uint64_t> offsets, bind::In<std::uint32_t> source,
         bind::In<std::uint32_t> target, bind::In<std::uint8_t> possible,
         bind::In<float> probability, int digits) {
        const formats::LinkView links = bind::links_of(offsets, source, target);
        parallel(possible.size(), source.size());
        parallel(probability.size(), source.size());
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
