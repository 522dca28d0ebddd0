#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "align/symmetrise.hh"
#include "links.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_align(nb::module_& m) {
  m.def(
      "symmetrise",
      [](bind::In<std::uint64_t> forward_offsets, bind::In<std::uint32_t> forward_source,
         bind::In<std::uint32_t> forward_target, bind::In<std::uint64_t> reverse_offsets,
         bind::In<std::uint32_t> reverse_source, bind::In<std::uint32_t> reverse_target,
         std::string_view method, int threads) {
        const LinkView forward = bind::links_of(forward_offsets, forward_source, forward_target);
        const LinkView reverse = bind::links_of(reverse_offsets, reverse_source, reverse_target);
        LinkLists links;
        {
          const nb::gil_scoped_release release;
          links = symmetrise(forward, reverse, symmetrisation_of(method), threads);
        }
        return bind::to_python(std::move(links));
      },
      "forward_offsets"_a, "forward_source"_a, "forward_target"_a, "reverse_offsets"_a,
      "reverse_source"_a, "reverse_target"_a, "method"_a, "threads"_a);
}
