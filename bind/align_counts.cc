// What the shards of an iteration of EM give: objects that can be pickled, so that they can travel.
#include <nanobind/nanobind.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

#include "align/train.hh"
#include "arrays.hh"
#include "typed.hh"

namespace nb = nanobind;
using namespace tunesmith;

namespace {

template <typename T>
auto copied(const std::vector<T>& values) {
  return bind::to_numpy(std::vector<T>(values));
}

template <typename T>
std::vector<T> vector_of(nb::handle array) {
  const auto values = nb::cast<bind::In<T>>(array);
  return {values.data(), values.data() + values.size()};
}

using Pair = std::pair<double, double>;
using Doubles = std::vector<double>;
using Aligned = decltype(align::DiagonalCounts::aligned);
using DirectionState = std::tuple<Doubles, Doubles, Doubles, Doubles, double, Aligned, Pair>;
using BlockState = std::tuple<Pair, DirectionState, DirectionState>;

Pair plain(const align::LogLikelihood& likelihood) {
  return {likelihood.forward, likelihood.reverse};
}

DirectionState plain(const align::DirectionCounts& counts) {
  return {counts.jumps.jump,          counts.jumps.jump_mass,   counts.jumps.first,
          counts.jumps.first_mass,    counts.diagonal.distance, counts.diagonal.aligned,
          {counts.null, counts.words}};
}

align::DirectionCounts direction_counts(const DirectionState& state) {
  align::DirectionCounts out;
  std::tie(out.jumps.jump, out.jumps.jump_mass, out.jumps.first, out.jumps.first_mass,
           out.diagonal.distance, out.diagonal.aligned, std::ignore) = state;
  std::tie(out.null, out.words) = std::get<6>(state);
  return out;
}

auto normaliser_state(const align::Normalisers& self) {
  std::vector<Pair> likelihoods;
  for (const align::LogLikelihood& one : self.likelihoods) likelihoods.push_back(plain(one));
  return bind::tuple_of(copied(self.target), copied(self.source), likelihoods);
}

void set_normalisers(align::Normalisers& self, const bind::State& state) {
  new (&self) align::Normalisers{vector_of<float>(state[0]), vector_of<float>(state[1]), {}};
  for (const auto& [forward, reverse] : nb::cast<std::vector<Pair>>(state[2]))
    self.likelihoods.push_back({forward, reverse});
}

auto count_state(const align::ExpectedCounts& self) {
  std::vector<BlockState> blocks;
  for (const align::BlockCounts& one : self.blocks)
    blocks.emplace_back(plain(one.likelihood), plain(one.forward), plain(one.reverse));
  return bind::tuple_of(copied(self.forward), copied(self.reverse), copied(self.null_forward),
                        copied(self.null_reverse), blocks);
}

void set_counts(align::ExpectedCounts& self, const bind::State& state) {
  new (&self) align::ExpectedCounts{vector_of<std::uint64_t>(state[0]),
                                    vector_of<std::uint64_t>(state[1]),
                                    vector_of<std::uint64_t>(state[2]),
                                    vector_of<std::uint64_t>(state[3]),
                                    {}};
  for (const auto& [likelihood, forward, reverse] : nb::cast<std::vector<BlockState>>(state[4]))
    self.blocks.push_back({{likelihood.first, likelihood.second},
                           direction_counts(forward),
                           direction_counts(reverse)});
}

}  // namespace

void register_align_counts(nb::module_& m) {
  nb::class_<align::Normalisers>(m, "AlignmentNormalisers")
      .def("__getstate__", &normaliser_state)
      .def("__setstate__", &set_normalisers)
      .def_static("joined", [](std::vector<align::Normalisers*> shards) {
        std::vector<align::Normalisers> taken;
        for (align::Normalisers* shard : shards) taken.push_back(std::move(*shard));
        return align::joined(std::move(taken));
      });
  nb::class_<align::ExpectedCounts>(m, "AlignmentCounts")
      .def("__getstate__", &count_state)
      .def("__setstate__", &set_counts);
}
