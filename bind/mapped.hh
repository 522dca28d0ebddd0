// Mapped arrays → numpy, which becomes their owner.
#pragma once

#include "arrays.hh"
#include "base/mapped_array.hh"

namespace tunesmith::bind {

template <typename T>
Out<T> to_numpy(MappedArray<T>&& values, std::vector<std::size_t> shape = {}) {
  auto* kept = new MappedArray<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<MappedArray<T>*>(p); });
  if (shape.empty()) shape = {kept->size()};
  // An array without elements has no memory, but numpy wants an address.
  static T nothing{};
  T* data = kept->data() == nullptr ? &nothing : kept->data();
  return Out<T>(data, shape.size(), shape.data(), owner);
}

}  // namespace tunesmith::bind
