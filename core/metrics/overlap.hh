// Metrics of n-grams that two texts have in common, for whoever compares texts with each other and
// not with references that are known beforehand.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "metrics/bleu.hh"
#include "metrics/chrf.hh"
#include "metrics/preprocess.hh"

namespace tunesmith::metrics {

// Symbols of one or more kinds (words, characters), each with n-grams up to an order of its own.
// Vectors over "all orders" have those of the first kind first, from 1 up.
class OverlapMetric {
 public:
  using Symbols = std::vector<std::vector<std::string_view>>;  // [kind]

  virtual ~OverlapMetric() = default;
  // The order of each kind.
  virtual std::vector<int> orders() const = 0;
  // The number of statistics.
  virtual int size() const = 0;
  // The symbols of a text; they point into it or into `scratch`.
  virtual void split(std::string_view text, Preprocess::Scratch& scratch,
                     Symbols& symbols) const = 0;
  // The metric's statistics, as its gain takes them. All three inputs are over all orders: n-grams
  // in both texts, in the hypothesis and in the reference. They need not be whole: a reference may
  // be an average.
  virtual void stats(const double* matches, const double* hypothesis, const double* reference,
                     double* out) const = 0;
};

class BleuOverlap final : public OverlapMetric {
 public:
  BleuOverlap(int order, Preprocess preprocess);
  std::vector<int> orders() const override { return {order_}; }
  int size() const override { return 2 * order_ + 2; }
  void split(std::string_view text, Preprocess::Scratch& scratch, Symbols& symbols) const override;
  void stats(const double* matches, const double* hypothesis, const double* reference,
             double* out) const override;

 private:
  int order_;
  Preprocess preprocess_;
};

class ChrfOverlap final : public OverlapMetric {
 public:
  explicit ChrfOverlap(ChrfOptions options);
  std::vector<int> orders() const override;
  int size() const override { return 3 * (options_.char_order + options_.word_order); }
  void split(std::string_view text, Preprocess::Scratch& scratch, Symbols& symbols) const override;
  void stats(const double* matches, const double* hypothesis, const double* reference,
             double* out) const override;

 private:
  ChrfOptions options_;
};

}  // namespace tunesmith::metrics
