// What a tuner knows of a metric: sums of integer statistics in, one number to maximise out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace tunesmith {

// A corpus score that is a pure function of summed statistics, turned so that higher is better
// and scaled so that a percentage point is 0.01 (BLEU in [0, 1]; TER negated).
class Gain {
 public:
  virtual ~Gain() = default;
  // The number of statistics of a hypothesis.
  virtual int size() const = 0;
  // Real-valued, because a pseudo-corpus decays (Chiang 2008) and expectations are not whole.
  virtual double operator()(const double* sums) const = 0;
};

// Statistics: matches of order 1..N, totals of order 1..N, hypothesis length, reference length.
// Corpus BLEU without smoothing, as sacreBLEU's score / 100.
class BleuGain final : public Gain {
 public:
  explicit BleuGain(int order = 4) : order_(order) {}
  int size() const override { return 2 * order_ + 2; }
  double operator()(const double* sums) const override;

 private:
  int order_;
};

// Statistics: errors, reference length. The gain is −errors / length (TER, WER, CER).
class ErrorRateGain final : public Gain {
 public:
  int size() const override { return 2; }
  double operator()(const double* sums) const override;
};

// Statistics: value × scale rounded, 1. The gain is the mean value, negated on request.
class MeanGain final : public Gain {
 public:
  MeanGain(double scale, bool higher_is_better)
      : factor_((higher_is_better ? 1.0 : -1.0) / scale) {}
  int size() const override { return 2; }
  double operator()(const double* sums) const override;

 private:
  double factor_;
};

// Statistics: those of its parts, one after the other. The gain is Σ weight × gain of the part.
class WeightedGain final : public Gain {
 public:
  WeightedGain(std::vector<std::shared_ptr<const Gain>> parts, std::vector<double> weights)
      : parts_(std::move(parts)), weights_(std::move(weights)) {}
  int size() const override;
  double operator()(const double* sums) const override;

 private:
  std::vector<std::shared_ptr<const Gain>> parts_;
  std::vector<double> weights_;
};

}  // namespace tunesmith
