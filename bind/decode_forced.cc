#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "decode/forced/forced_decoder.hh"
#include "training_text.hh"
#include "typed.hh"

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

  // Sides as vocabulary, offsets and ids; links as offsets, source and target positions of every
  // table. All are looked at, not copied.
  nb::class_<decode::TrainingText>(m, "TrainingText")
      .def(
          "__init__",
          [](decode::TrainingText* self, const StringIndex& source_vocabulary,
             bind::In<std::uint64_t> source_offsets, bind::In<std::uint32_t> source_ids,
             const StringIndex& target_vocabulary, bind::In<std::uint64_t> target_offsets,
             bind::In<std::uint32_t> target_ids, const std::vector<bind::LinkArrays>& links) {
            new (self) decode::TrainingText(
                {source_vocabulary, bind::span_of(source_offsets), bind::span_of(source_ids)},
                {target_vocabulary, bind::span_of(target_offsets), bind::span_of(target_ids)},
                bind::table_links(links));
          },
          "source_vocabulary"_a, "source_offsets"_a.noconvert(), "source_ids"_a.noconvert(),
          "target_vocabulary"_a, "target_offsets"_a.noconvert(), "target_ids"_a.noconvert(),
          "links"_a.noconvert(), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
          nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 6>(),
          nb::keep_alive<1, 7>(), nb::keep_alive<1, 8>())
      .def("__len__", &decode::TrainingText::size);

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
      [](const decode::PhraseModel& model, const decode::TrainingText& pairs,
         const decode::ForcedOptions& options, bool keep, int threads, bind::Done done) {
        ForcedResults out;
        nb::gil_scoped_release release;
        out.pairs = decode::force_pairs(model, pairs, options, keep, threads, [&](std::size_t n) {
          nb::gil_scoped_acquire acquire;
          done(n);
        });
        return out;
      },
      "model"_a, "pairs"_a, "options"_a, "keep"_a, "threads"_a, "done"_a);
}
