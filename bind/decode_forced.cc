#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "decode/forced/forced_decoder.hh"
#include "training_pairs.hh"

namespace nb = nanobind;
using namespace tunesmith;
using namespace nb::literals;

namespace {

struct ForcedResults {
  std::vector<decode::ForcedResult> pairs;
};

template <typename T, typename Get>
auto column(const ForcedResults& self, Get get) {
  std::vector<T> out;
  out.reserve(self.pairs.size());
  for (const decode::ForcedResult& pair : self.pairs) out.push_back(static_cast<T>(get(pair)));
  return bind::to_numpy(std::move(out));
}

}  // namespace

void register_decode_forced(nb::module_& m) {
  nb::enum_<decode::LeaveOut>(m, "LeaveOut")
      .value("NOTHING", decode::LeaveOut::kNothing)
      .value("OWN", decode::LeaveOut::kOwn)
      .value("SINGLETONS", decode::LeaveOut::kSingletons);

  nb::class_<decode::ForcedOptions>(m, "ForcedOptions")
      .def(nb::init<>())
      .def_rw("distortion_limit", &decode::ForcedOptions::distortion_limit)
      .def_rw("max_words", &decode::ForcedOptions::max_words)
      .def_rw("max_nodes", &decode::ForcedOptions::max_nodes)
      .def_rw("time_limit", &decode::ForcedOptions::time_limit)
      .def_rw("min_prefix", &decode::ForcedOptions::min_prefix)
      .def_rw("leave_out", &decode::ForcedOptions::leave_out)
      .def_rw("drop_unknown", &decode::ForcedOptions::drop_unknown)
      .def_rw("dead_ends", &decode::ForcedOptions::dead_ends)
      .def_rw("list_prefixes", &decode::ForcedOptions::list_prefixes);

  nb::class_<ForcedResults>(m, "ForcedResults")
      .def("__len__", [](const ForcedResults& self) { return self.pairs.size(); })
      .def("whole",
           [](const ForcedResults& self) {
             return column<std::uint8_t>(self, [](const auto& p) { return p.lattice.whole; });
           })
      .def("stopped",
           [](const ForcedResults& self) {
             return column<std::uint8_t>(self, [](const auto& p) { return p.lattice.stopped; });
           })
      .def("source_words",
           [](const ForcedResults& self) {
             return column<std::int32_t>(self,
                                         [](const auto& p) { return p.lattice.source_words; });
           })
      .def("target_words",
           [](const ForcedResults& self) {
             return column<std::int32_t>(self,
                                         [](const auto& p) { return p.lattice.target_words; });
           })
      .def("derivations",
           [](const ForcedResults& self) {
             return column<double>(self, [](const auto& p) { return p.lattice.derivations; });
           })
      .def("visited",
           [](const ForcedResults& self) {
             return column<std::int64_t>(self, [](const auto& p) { return p.lattice.visited; });
           })
      .def("nodes",
           [](const ForcedResults& self) {
             return column<std::int64_t>(self, [](const auto& p) { return p.nodes; });
           })
      .def("edges",
           [](const ForcedResults& self) {
             return column<std::int64_t>(self, [](const auto& p) { return p.edges; });
           })
      // [prefixes, 3]: pair, source words, target words.
      .def("prefixes",
           [](const ForcedResults& self) {
             std::vector<std::int64_t> out;
             for (std::size_t p = 0; p < self.pairs.size(); ++p)
               for (const decode::PrefixPair& prefix : self.pairs[p].lattice.prefixes)
                 out.insert(out.end(),
                            {static_cast<std::int64_t>(p), prefix.source, prefix.target});
             const std::size_t rows = out.size() / 3;
             return bind::to_numpy(std::move(out), {rows, 3});
           })
      // [edges, 8]: tail, head, source begin, end, target begin, end, table, rule (−1: copied).
      .def(
          "lattice",
          [](const ForcedResults& self, std::size_t pair) {
            const decode::GoldLattice& lattice = self.pairs.at(pair).lattice;
            std::vector<std::int64_t> out;
            for (const decode::GoldEdge& edge : lattice.edges)
              out.insert(out.end(), {edge.tail, edge.head, edge.begin, edge.end,
                                     lattice.nodes[edge.tail].target,
                                     lattice.nodes[edge.head].target, edge.table,
                                     edge.rule == grammar::kNoRule ? -1 : std::int64_t{edge.rule}});
            return bind::to_numpy(std::move(out), {lattice.edges.size(), 8});
          },
          "pair"_a);

  m.def("forced_memory", &decode::forced_memory, "options"_a);
  m.def(
      "force_pairs",
      [](const decode::PhraseModel& model, const bind::WordLists& source,
         const bind::WordLists& target, const std::vector<bind::LinkArrays>& links,
         const decode::ForcedOptions& options, bool keep, int threads, nb::object done) {
        const auto pairs = bind::training_pairs(source, target, links);
        ForcedResults out;
        nb::gil_scoped_release release;
        out.pairs = decode::force_pairs(model, pairs, options, keep, threads, [&](std::size_t n) {
          nb::gil_scoped_acquire acquire;
          done(n);
        });
        return out;
      },
      "model"_a, "source"_a, "target"_a, "links"_a, "options"_a, "keep"_a, "threads"_a, "done"_a);
}
