// A PoolView over numpy arrays that Python keeps alive; every tuner's binding takes one.
#pragma once

#include "arrays.hh"
#include "base/pool.hh"

namespace tunesmith::bind {

struct PoolArrays {
  In<std::int64_t> offsets;
  In<float, 2> dense;
  In<std::int64_t> sparse_offsets;
  In<std::uint32_t> sparse_ids;
  In<float> sparse_values;
  std::int64_t sparse_size;
  In<std::int32_t, 2> stats;
  PoolView view;
};

}  // namespace tunesmith::bind
