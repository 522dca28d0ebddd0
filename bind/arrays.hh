// Numpy arrays ↔ spans and vectors, without copying where ownership allows.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <vector>

namespace tunesmith::bind {

namespace nb = nanobind;

// What a bound function takes: a C-contiguous array on the CPU, read only.
template <typename T, int Dimensions = 1>
using In = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

// An object that looks at arrays for as long as it lives must keep them by nb::keep_alive and take
// them with noconvert() (so that it looks at the array itself, not at a converted copy). A member
// of type In would do, but numpy gives nothing back through it once the interpreter is shutting
// down: what stands behind the array is then reported as leaked.

template <typename Array>
auto span_of(const Array& array) {
  return std::span<const std::remove_const_t<typename Array::Scalar>>(array.data(), array.size());
}

// What a bound function gives back: numpy owns the vector's memory.
template <typename T>
using Out = nb::ndarray<nb::numpy, T>;

template <typename T>
Out<T> to_numpy(std::vector<T>&& values, std::vector<std::size_t> shape = {}) {
  auto* kept = new std::vector<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  if (shape.empty()) shape = {kept->size()};
  return Out<T>(kept->data(), shape.size(), shape.data(), owner);
}

// For the arrays of a bound struct: Python gets another reference to their memory.
constexpr auto kShared = nb::rv_policy::reference;

// A view of memory that `owner` (a bound object) keeps alive.
template <typename T>
Out<const T> view(std::span<const T> values, nb::handle owner) {
  const std::size_t shape[1] = {values.size()};
  return Out<const T>(values.data(), 1, shape, owner);
}

}  // namespace tunesmith::bind
