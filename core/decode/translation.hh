// What every decoder gives back for a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/sparse_vector.hh"

namespace tunesmith::decode {

// A rule of a derivation: source words [begin, end) became target words, with all that stands in
// its gaps. Steps come in the order of the target, each behind those in its gaps.
struct DerivationStep {
  std::int32_t begin = 0, end = 0;
  std::int32_t target_begin = 0, target_end = 0;
  std::int32_t table = 0;
  std::int64_t rule = -1;  // −1: copied or prescribed words
};

struct FeatureValues {
  std::vector<double> dense;
  SparseVector sparse;

  // `weights` are those of the dense features, then of the sparse ones.
  double dot(std::span<const double> weights) const;
};

struct Translation {
  std::string text;    // words joined by blanks
  double score = 0.0;  // w · features
  FeatureValues features;
  std::vector<DerivationStep> steps;
  // The way through a lattice: its arcs, whose places are those of the steps; else empty.
  std::vector<std::uint32_t> path;
};

struct SentenceResult {
  // Best first; at least one, unless the translation is prescribed and cannot be made.
  std::vector<Translation> translations;
  std::uint64_t pops = 0;
  std::uint64_t discarded = 0;
  std::uint64_t states = 0;
  std::uint64_t edges = 0;
  bool timed_out = false;
  bool glued = false;  // no rule of a grammar spans the whole sentence
};

struct KBestOptions {
  int size = 1;
  bool distinct = true;
};

}  // namespace tunesmith::decode
