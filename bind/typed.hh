// Python's containers with the types of what is in them, for the signatures in the module's stub.
#pragma once

#include <nanobind/nanobind.h>

#include <type_traits>
#include <utility>

namespace tunesmith::bind {

namespace nb = nanobind;

using Lines = nb::typed<nb::list, nb::str>;
// The pieces of an unpacked file.
using Blocks = nb::typed<nb::iterable, nb::bytes>;
// One sequence of sentences per reference file.
using ReferenceFiles = nb::typed<nb::iterable, nb::typed<nb::iterable, nb::str>>;
// What `__getstate__` gave.
using State = nb::typed<nb::tuple, nb::object, nb::ellipsis>;
// Told of so many more items that are done.
using Done = nb::typed<nb::callable, void(std::size_t)>;

// A tuple whose signature names the types of its items.
template <typename... Values>
nb::typed<nb::tuple, std::decay_t<Values>...> tuple_of(Values&&... values) {
  return nb::make_tuple(std::forward<Values>(values)...);
}

// A list of items that `out.append(…)` made.
template <typename Item>
nb::typed<nb::list, Item> list_of(nb::list&& items) {
  return std::move(items);
}

}  // namespace tunesmith::bind
