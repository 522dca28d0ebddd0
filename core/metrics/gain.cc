#include "metrics/gain.hh"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hh"
#include "engine/parallel.hh"

namespace tunesmith::metrics {
namespace {

// Gains are handed to threads in blocks: one costs too little.
constexpr std::size_t kBlock = 1024;

// The logarithm of BLEU's brevity penalty; −∞ for an empty hypothesis.
double log_brevity(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 0.0;
  return hypothesis_length > 0.0 ? 1.0 - reference_length / hypothesis_length : -INFINITY;
}

template <typename Row>
void blockwise(std::size_t rows, int threads, const Row& row) {
  engine::parallel_for((rows + kBlock - 1) / kBlock, threads, [&](std::size_t block) {
    const std::size_t end = std::min(rows, (block + 1) * kBlock);
    row(block * kBlock, end);
  });
}

}  // namespace

double BleuGain::operator()(const double* sums) const {
  const double* matches = sums;
  const double* totals = sums + order_;
  for (int n = 0; n < order_; ++n)
    if (matches[n] <= 0.0 || smoothing_ == BleuSmoothing::kAddK) return smoothed(sums);
  const double brevity = this->brevity(sums);
  if (order_ == 4) {  // what tuners ask for all the time: roots cost a fifth of the logarithms
    const double matched = matches[0] * matches[1] * matches[2] * matches[3];
    const double total = totals[0] * totals[1] * totals[2] * totals[3];
    const double precision = std::sqrt(std::sqrt(matched / total));
    return brevity == 0.0 ? precision : precision * std::exp(brevity);
  }
  double log_precision = 0.0;
  for (int n = 0; n < order_; ++n) log_precision += std::log(matches[n] / totals[n]);
  return std::exp(log_precision / order_ + brevity);
}

double BleuGain::smoothed(const double* sums) const {
  const double* matches = sums;
  const double* totals = sums + order_;
  if (std::none_of(matches, matches + order_, [](double m) { return m > 0.0; })) return 0.0;
  double log_precision = 0.0;
  double halves = 1.0;
  int orders = 0;
  for (; orders < order_; ++orders) {
    const bool add = smoothing_ == BleuSmoothing::kAddK && orders > 0;
    double match = matches[orders] + (add ? value_ : 0.0);
    const double total = totals[orders] + (add ? value_ : 0.0);
    if (total <= 0.0) break;
    if (match <= 0.0) {
      if (smoothing_ == BleuSmoothing::kExp) {
        halves *= 2.0;
        match = 1.0 / halves;
      } else if (smoothing_ == BleuSmoothing::kFloor) {
        match = value_;
      }
      if (match <= 0.0) return 0.0;
    }
    log_precision += std::log(match / total);
  }
  if (orders == 0 || (orders < order_ && !effective_order_)) return 0.0;
  return std::exp(log_precision / orders + brevity(sums));
}

double BleuGain::brevity(const double* sums) const {
  const double length = sums[2 * order_], reference = sums[2 * order_ + 1];
  // Lengths may be counted in parts of a word (BleuScorer); totals of order 1 are words.
  const double word = sums[order_] > 0.0 ? length / sums[order_] : 1.0;
  return log_brevity(length, reference + (longer_ > 0.0 ? longer_ * word : 0.0));
}

double InterpolatedBleuGain::operator()(const double* sums) const {
  const double brevity = log_brevity(sums[2 * order_], sums[2 * order_ + 1]);
  double log_precision = 0.0;
  double gain = 0.0;
  for (int n = 1; n <= order_ && sums[n - 1] > 0.0; ++n) {
    log_precision += std::log(sums[n - 1] / sums[order_ + n - 1]);
    gain += std::ldexp(std::exp(log_precision / n + brevity), n - order_ - 1);
  }
  return gain;
}

double ChrfGain::percent(const double* sums) const {
  constexpr double kEps = 1e-16;
  double smooth = 0.0, precisions = 0.0, recalls = 0.0;
  int effective = 0;
  for (int n = 0; n < orders_; ++n, sums += 3) {
    const double hypothesis = sums[0], reference = sums[1], both = sums[2];
    const double precision = hypothesis > 0.0 ? both / hypothesis : kEps;
    const double recall = reference > 0.0 ? both / reference : kEps;
    if (eps_smoothing_) {
      const double denominator = factor_ * precision + recall;
      smooth += denominator > 0.0 ? (1.0 + factor_) * precision * recall / denominator : kEps;
    }
    if (hypothesis > 0.0 && reference > 0.0) {
      precisions += precision;
      recalls += recall;
      ++effective;
    }
  }
  if (eps_smoothing_) return 100.0 * smooth / orders_;
  if (effective == 0) return 0.0;
  precisions /= effective;
  recalls /= effective;
  if (precisions + recalls == 0.0) return 0.0;
  return 100.0 * ((1.0 + factor_) * precisions * recalls / (factor_ * precisions + recalls));
}

double ErrorRateGain::operator()(const double* sums) const {
  if (sums[1] > 0.0) return -sums[0] / sums[1];
  return count_all_ || sums[0] <= 0.0 ? -sums[0] : -1.0;
}

double MeanGain::operator()(const double* sums) const {
  return sums[1] > 0.0 ? sums[0] / (scale_ * sums[1]) : 0.0;
}

int WeightedGain::size() const {
  int total = 0;
  for (const auto& part : parts_) total += part->size();
  return total;
}

double WeightedGain::operator()(const double* sums) const {
  double total = 0.0;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    total += weights_[i] * (*parts_[i])(sums);
    sums += parts_[i]->size();
  }
  return total;
}

void background_gains(const Gain& gain, const std::int32_t* stats, std::size_t rows,
                      const double* background, double* out, int threads) {
  const auto size = static_cast<std::size_t>(gain.size());
  blockwise(rows, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(size);
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t k = 0; k < size; ++k)
        sums[k] = (background ? background[k] : 0.0) + stats[i * size + k];
      out[i] = gain(sums.data());
    }
  });
}

void substitution_gains(const Gain& gain, const std::int32_t* stats, std::size_t rows,
                        const std::uint32_t* sentence_of, const std::int32_t* chosen,
                        std::size_t sentences, double* out, int threads) {
  const auto size = static_cast<std::size_t>(gain.size());
  for (std::size_t i = 0; i < rows; ++i) {
    if (sentence_of[i] >= sentences)
      throw OptionError("hypothesis " + std::to_string(i) + " belongs to sentence " +
                        std::to_string(sentence_of[i]) + ", but the configuration has " +
                        std::to_string(sentences) + " sentences only");
  }
  std::vector<std::int64_t> total(size);
  for (std::size_t s = 0; s < sentences; ++s)
    for (std::size_t k = 0; k < size; ++k) total[k] += chosen[s * size + k];
  blockwise(rows, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<double> sums(size);
    for (std::size_t i = begin; i < end; ++i) {
      const std::int32_t* replaced = chosen + sentence_of[i] * size;
      for (std::size_t k = 0; k < size; ++k)
        sums[k] = static_cast<double>(total[k] - replaced[k] + stats[i * size + k]);
      out[i] = gain(sums.data());
    }
  });
}

}  // namespace tunesmith::metrics
