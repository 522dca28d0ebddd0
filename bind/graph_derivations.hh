// Derivations of all sentences as arrays: what k-best lists, consensus decoding and the choice of
// paths hand to each other.
#pragma once

#include <cstdint>
#include <vector>

#include "arrays.hh"
#include "graph/derivation.hh"
#include "graph/graph_pool.hh"
#include "typed.hh"

namespace tunesmith::bind {

struct SentenceDerivations {
  std::vector<double> scores;
  std::vector<std::int64_t> ends;
  std::vector<std::uint32_t> edges;

  void add(const std::vector<std::uint32_t>& own, double score) {
    edges.insert(edges.end(), own.begin(), own.end());
    ends.push_back(static_cast<std::int64_t>(edges.size()));
    scores.push_back(score);
  }
};

struct DerivationList {
  std::vector<std::int64_t> offsets{0};       // [sentences + 1] rows
  std::vector<double> scores;                 // [rows]
  std::vector<std::int64_t> edge_offsets{0};  // [rows + 1]
  std::vector<std::uint32_t> edges;           // of the sentence, in post-order

  DerivationList() = default;
  explicit DerivationList(const std::vector<SentenceDerivations>& sentences) {
    for (const SentenceDerivations& sentence : sentences) {
      const auto first = static_cast<std::int64_t>(edges.size());
      scores.insert(scores.end(), sentence.scores.begin(), sentence.scores.end());
      edges.insert(edges.end(), sentence.edges.begin(), sentence.edges.end());
      for (const std::int64_t end : sentence.ends) edge_offsets.push_back(first + end);
      offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
  }
  // (offsets, scores, edge offsets, edges)
  auto to_python() {
    return tuple_of(to_numpy(std::move(offsets)), to_numpy(std::move(scores)),
                    to_numpy(std::move(edge_offsets)), to_numpy(std::move(edges)));
  }
};

// Derivations that Python hands in, checked against their pool.
struct DerivationArrays {
  In<std::int64_t> offsets, edge_offsets;
  In<std::uint32_t> edges;

  std::int64_t rows() const { return static_cast<std::int64_t>(edge_offsets.size()) - 1; }
  std::span<const std::uint32_t> row(std::int64_t r) const {
    const auto all = span_of(edges);
    return all.subspan(edge_offsets.data()[r], edge_offsets.data()[r + 1] - edge_offsets.data()[r]);
  }
  void check(const graph::GraphPoolView& pool) const {
    const auto ascend = [](std::span<const std::int64_t> values, std::size_t last) {
      bool good = !values.empty() && values.front() == 0 &&
                  values.back() == static_cast<std::int64_t>(last);
      for (std::size_t i = 1; good && i < values.size(); ++i) good = values[i - 1] <= values[i];
      return good;
    };
    if (edge_offsets.size() == 0 || !ascend(span_of(offsets), edge_offsets.size() - 1) ||
        !ascend(span_of(edge_offsets), edges.size()) ||
        static_cast<std::int64_t>(offsets.size()) != pool.sentences() + 1)
      throw nb::value_error("offsets do not cover the derivations");
    for (std::int64_t s = 0; s < pool.sentences(); ++s)
      for (std::int64_t r = offsets.data()[s]; r < offsets.data()[s + 1]; ++r)
        if (!graph::is_derivation(pool.sentence(s), row(r)))
          throw nb::value_error("edges that are no derivation of their sentence");
  }
};

}  // namespace tunesmith::bind
