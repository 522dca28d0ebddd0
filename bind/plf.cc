#include "formats/plf.hh"

#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "base/error.hh"
#include "formats/nbest.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

void register_plf(nb::module_& m) {
  // By node, of each arc the word and the numbers behind it. Throws OptionError.
  m.def(
      "parse_plf",
      [](std::string_view line) {
        using Arc = std::pair<std::string, std::vector<std::string>>;
        std::vector<std::vector<Arc>> nodes;
        try {
          for (formats::PlfNode& node : formats::parse_plf(line)) {
            std::vector<Arc>& arcs = nodes.emplace_back();
            for (formats::PlfArc& arc : node)
              arcs.emplace_back(std::move(arc.word),
                                std::vector<std::string>(arc.numbers.begin(), arc.numbers.end()));
          }
        } catch (const formats::BadLine& bad) {
          throw OptionError(bad.found + ", expected " + bad.expected);
        }
        return nodes;
      },
      "line"_a);
}
