// Smoothed relative frequencies of phrase pairs (Foster, Kuhn & Johnson 2006).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "grammar/build_table.hh"

namespace tunesmith::grammar {

// How many pairs occur once, twice, … : what discounts are estimated from.
class CountsOfCounts {
 public:
  static constexpr int kLargest = 12;
  using Numbers = std::span<const std::uint64_t, kLargest + 1>;

  CountsOfCounts() = default;
  // From numbers() of before.
  explicit CountsOfCounts(Numbers n) { std::copy(n.begin(), n.end(), n_.begin()); }
  Numbers numbers() const { return n_; }
  void add(std::uint32_t count) {
    if (count <= kLargest) ++n_[count];
  }
  void add(const CountsOfCounts& other) {
    for (int i = 0; i <= kLargest; ++i) n_[i] += other.n_[i];
  }
  double operator[](int count) const { return static_cast<double>(n_[count]); }

 private:
  std::array<std::uint64_t, kLargest + 1> n_{};
};

// What conditions a distribution: all counts of one phrase with its partners.
struct ConditionCounts {
  double total = 0.0;
  double ones = 0.0, twos = 0.0, more = 0.0;  // partners seen once, twice, three times or more
  void add(std::uint32_t count) {
    total += count;
    (count == 1 ? ones : count == 2 ? twos : more) += 1;
  }
};

// log p(x | y) of one of several corpora, from its own counts of both and `probability`, that of
// all corpora, which counts as one place of y.
double log_in_corpus(std::uint32_t joint, double given, double probability);

class SmoothedFrequency {
 public:
  SmoothedFrequency(CountSmoothing kind, const CountsOfCounts& n, double pairs);

  // p(x | y) from their joint count, the counts of y, and the number of partners of x.
  double operator()(std::uint32_t joint, const ConditionCounts& given, double partners) const;

 private:
  double discount(std::uint32_t count) const {
    return discounts_[std::min<std::uint32_t>(count, 3)];
  }

  CountSmoothing kind_;
  double pairs_;
  std::array<double, 4> discounts_{};  // Kneser–Ney, for counts 1, 2 and 3 or more
  std::array<double, CountsOfCounts::kLargest + 1> turing_{};  // Good–Turing counts
};

}  // namespace tunesmith::grammar
