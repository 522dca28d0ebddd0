// Derivations as ragged arrays: (sentences, offsets, edges), edges counted within their sentence,
// tails before heads.
#pragma once

#include <nanobind/nanobind.h>

#include <tuple>

#include "arrays.hh"
#include "typed.hh"

namespace tunesmith::bind {

struct PathArrays {
  std::vector<std::int64_t> sentences;
  std::vector<std::int64_t> offsets{0};
  std::vector<std::uint32_t> edges;

  void add(std::int64_t sentence, const std::vector<std::uint32_t>& path) {
    sentences.push_back(sentence);
    edges.insert(edges.end(), path.begin(), path.end());
    offsets.push_back(static_cast<std::int64_t>(edges.size()));
  }
  auto to_python() && {
    return tuple_of(to_numpy(std::move(sentences)), to_numpy(std::move(offsets)),
                    to_numpy(std::move(edges)));
  }
};

}  // namespace tunesmith::bind
