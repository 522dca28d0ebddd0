// A PoolView over numpy arrays that its Python object keeps alive; every tuner's binding takes one.
#pragma once

#include "arrays.hh"
#include "base/pool.hh"
#include "metrics/gain.hh"

namespace tunesmith::bind {

struct PoolArrays {
  PoolView view;
};

// What a caller hands in besides the pool must fit it: native loops do not look again.
inline void check_weights(const PoolView& pool, const In<double>& weights) {
  if (static_cast<std::int64_t>(weights.size()) != pool.features())
    throw nb::value_error("one weight per feature is needed");
}

inline void check_rows(const PoolView& pool, const In<double>& values) {
  if (static_cast<std::int64_t>(values.size()) != pool.rows())
    throw nb::value_error("one value per row is needed");
}

inline void check_gain(const PoolView& pool, const metrics::Gain& gain) {
  if (gain.size() != pool.stats_size)
    throw nb::value_error("the pool's statistics are not those of the metric");
}

// One row of each sentence.
inline void check_choice(const PoolView& pool, std::span<const std::int64_t> rows) {
  if (static_cast<std::int64_t>(rows.size()) != pool.sentences())
    throw nb::value_error("one row per sentence is needed");
  for (std::size_t s = 0; s < rows.size(); ++s)
    if (rows[s] < pool.offsets[s] || rows[s] >= pool.offsets[s + 1])
      throw nb::value_error("a row outside its sentence");
}

inline void check_sentences(const PoolView& pool, std::span<const std::int64_t> sentences) {
  for (const std::int64_t s : sentences)
    if (s < 0 || s >= pool.sentences()) throw nb::value_error("a sentence outside the pool");
}

}  // namespace tunesmith::bind
