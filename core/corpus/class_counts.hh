// How often a word of one class stands before a word of another, and the mutual information of
// neighbouring classes (Brown et al. 1992, Class-Based n-gram Models of Natural Language, §3):
//
//   I = Σ_{c,d} N(c,d)/T · ln( N(c,d) T / (N(c) N(d)) )
//
// Every token, and the boundary once a sentence, is left neighbour once and right neighbour once,
// so N(c) = Σ_d N(c,d) = Σ_d N(d,c). With h(x) = x ln x:  T·I = Σ h(N(c,d)) − 2 Σ h(N(c)) + h(T).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "corpus/count_entropy.hh"

namespace tunesmith::corpus {

class ClassCounts {
 public:
  explicit ClassCounts(std::uint32_t classes)
      : classes_(classes),
        after_(static_cast<std::size_t>(classes) * classes),
        before_(after_.size()),
        sizes_(classes) {}

  std::uint32_t classes() const { return classes_; }
  std::uint32_t size(std::uint32_t c) const { return sizes_[c]; }
  std::uint32_t operator()(std::uint32_t c, std::uint32_t d) const { return after_[at(c, d)]; }
  // N(c, ·), and N(·, d).
  std::span<const std::uint32_t> after(std::uint32_t c) const {
    return {after_.data() + at(c, 0), classes_};
  }
  std::span<const std::uint32_t> before(std::uint32_t d) const {
    return {before_.data() + at(d, 0), classes_};
  }

  // Counts may go below zero in between, as unsigned numbers do: changes are sums.
  void add(std::uint32_t c, std::uint32_t d, std::uint32_t count) {
    after_[at(c, d)] += count;
    before_[at(d, c)] += count;
  }
  void add_size(std::uint32_t c, std::uint32_t count) { sizes_[c] += count; }

  // In nats.
  double information(const CountEntropy& h) const {
    double sum = 0, total = 0;
    for (const std::uint32_t count : after_) sum += h(count);
    for (const std::uint32_t size : sizes_) {
      sum -= 2 * h(size);
      total += size;
    }
    return total == 0 ? 0 : sum / total + std::log(total);
  }

 private:
  std::size_t at(std::uint32_t row, std::uint32_t column) const {
    return static_cast<std::size_t>(row) * classes_ + column;
  }

  std::uint32_t classes_;
  std::vector<std::uint32_t> after_, before_;  // N(c,d) by rows of c, and by rows of d
  std::vector<std::uint32_t> sizes_;
};

}  // namespace tunesmith::corpus
