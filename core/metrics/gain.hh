// What a tuner knows of a metric: sums of integer statistics in, one number to maximise out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace tunesmith::metrics {

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

// What BLEU does with orders that have no match (Chen & Cherry 2014; the names are sacreBLEU's).
enum class BleuSmoothing {
  kNone,   // the score is 0
  kFloor,  // `value` matches
  kAddK,   // `value` more matches and n-grams, in all orders but the first
  kExp,    // 1/2 match in the first such order, 1/4 in the second, … (NIST)
};

// Statistics: matches of order 1..N, totals of order 1..N, hypothesis length, reference length.
// sacreBLEU's score / 100. A hypothesis without any match scores 0 under every smoothing.
class BleuGain final : public Gain {
 public:
  explicit BleuGain(int order = 4, BleuSmoothing smoothing = BleuSmoothing::kNone,
                    double value = 0.0, bool effective_order = false, double longer = 0.0)
      : order_(order),
        smoothing_(smoothing),
        value_(value),
        effective_order_(effective_order),
        longer_(longer) {}
  int size() const override { return 2 * order_ + 2; }
  double operator()(const double* sums) const override;

 private:
  double smoothed(const double* sums) const;
  double brevity(const double* sums) const;

  int order_;
  BleuSmoothing smoothing_;
  double value_;
  bool effective_order_;  // ignore the orders that are longer than the text
  double longer_;         // words that the reference counts more in the brevity penalty
};

// The same statistics; Σ_n 2^(n−N−1) BLEU_n over n = 1..N, each without smoothing (Liang et al.
// 2006, section 4): a sentence with few matches still gets credit for short ones.
class InterpolatedBleuGain final : public Gain {
 public:
  explicit InterpolatedBleuGain(int order = 4) : order_(order) {}
  int size() const override { return 2 * order_ + 2; }
  double operator()(const double* sums) const override;

 private:
  int order_;
};

// Statistics: n-grams of the hypothesis, of the reference, and in both, for each order in turn
// (first those of characters, then those of words). sacreBLEU's chrF / 100.
class ChrfGain final : public Gain {
 public:
  ChrfGain(int orders, double beta, bool eps_smoothing)
      : orders_(orders), factor_(beta * beta), eps_smoothing_(eps_smoothing) {}
  int size() const override { return 3 * orders_; }
  double operator()(const double* sums) const override { return percent(sums) / 100.0; }
  // In sacreBLEU's order of operations: which of several references is best may hang on the last
  // bit.
  double percent(const double* sums) const;

 private:
  int orders_;
  double factor_;
  bool eps_smoothing_;
};

// Statistics: errors, reference length. The gain is −errors / length (TER, WER, CER). Against
// nothing at all, any errors count as one (sacreBLEU's TER) or each as one (jiwer's WER and CER).
class ErrorRateGain final : public Gain {
 public:
  explicit ErrorRateGain(bool count_all_against_nothing = false)
      : count_all_(count_all_against_nothing) {}
  int size() const override { return 2; }
  double operator()(const double* sums) const override;

 private:
  bool count_all_;
};

// Statistics: value × scale rounded, 1. The gain is the mean value, negated on request.
class MeanGain final : public Gain {
 public:
  MeanGain(double scale, bool higher_is_better) : scale_(higher_is_better ? scale : -scale) {}
  int size() const override { return 2; }
  double operator()(const double* sums) const override;

 private:
  double scale_;
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

// out[i] = gain(background + row i of stats[rows][size]); no background (null) is all zeros.
void background_gains(const Gain& gain, const std::int32_t* stats, std::size_t rows,
                      const double* background, double* out, int threads);

// out[i] = gain(Σ_t chosen[t] − chosen[s] + row i), where s = sentence_of[i]: the corpus score of a
// configuration with sentence s's candidate put in its place (Watanabe et al. 2006). A sentence
// number that is not below `sentences` is an OptionError.
void substitution_gains(const Gain& gain, const std::int32_t* stats, std::size_t rows,
                        const std::uint32_t* sentence_of, const std::int32_t* chosen,
                        std::size_t sentences, double* out, int threads);

}  // namespace tunesmith::metrics
