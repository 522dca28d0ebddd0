#include "reorder/dual_trainer.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hh"
#include "engine/parallel.hh"
#include "reorder/kernels.hh"

namespace tunesmith::reorder {
namespace {

// α_i with its logarithms.
template <int K>
struct Distribution {
  std::array<double, K> p, log_p;

  explicit Distribution(const float* stored) {
    double sum = 0.0;
    for (int k = 0; k < K; ++k) sum += p[k] = std::exp(static_cast<double>(stored[k]));
    normalise(stored, sum);
  }
  // Of floats whose exponentials are known nearly: exactly[k] for the logarithm about[k].
  Distribution(const float* stored, const std::array<double, K>& about,
               const std::array<double, K>& exactly) {
    double sum = 0.0;
    for (int k = 0; k < K; ++k) {
      const double by = static_cast<double>(stored[k]) - about[k];  // a rounding error of floats
      sum += p[k] = exactly[k] * (1.0 + by * (1.0 + by * (0.5 + by * (1.0 / 6.0))));
    }
    normalise(stored, sum);
  }
  double negative_entropy() const {
    double sum = 0.0;
    for (int k = 0; k < K; ++k) sum += p[k] * log_p[k];
    return sum;
  }

 private:
  void normalise(const float* stored, double sum) {
    const double off = sum - 1.0;
    // Stored values are normalised but for rounding.
    const double log_norm =
        std::abs(off) < 1e-5 ? off * (1.0 - off * (0.5 - off * (1.0 / 3.0))) : std::log(sum);
    const double share = 1.0 / sum;
    for (int k = 0; k < K; ++k) {
      p[k] *= share;
      log_p[k] = static_cast<double>(stored[k]) - log_norm;
    }
  }
};

// Whether logarithms are those that are stored, but for rounding.
template <int K>
bool is_same(const std::array<double, K>& logs, const float* stored) {
  bool same = true;
  for (int k = 0; k < K; ++k) {
    const auto old = static_cast<double>(stored[k]);
    same &= std::abs(logs[k] - old) <=
            static_cast<double>(std::numeric_limits<float>::epsilon()) * std::max(1.0, -old);
  }
  return same;
}

}  // namespace

DualTrainer::DualTrainer(const Examples& examples, const DualOptions& options)
    : examples_(examples), options_(options) {
  const int classes = examples_.class_count;
  const double wrong = options_.start / (classes - 1);
  log_alpha_.assign(examples_.size() * classes, static_cast<float>(std::log(wrong)));
  const auto right = static_cast<float>(std::log1p(-options_.start));
  std::vector<std::uint32_t> counts(examples_.weights());
  std::vector<std::uint32_t> totals(examples_.feature_count);
  for (std::size_t i = 0; i < examples_.size(); ++i) {
    log_alpha_[i * classes + examples_.classes[i]] = right;
    for (const std::uint32_t feature : examples_.row(i)) {
      ++counts[static_cast<std::size_t>(feature) * classes + examples_.classes[i]];
      ++totals[feature];
    }
  }
  // Eq. 10, of α as it is stored: p̃ − α is `away` for the right class, −`towards` for the others.
  const double small = std::exp(static_cast<double>(log_alpha_[examples_.classes[0] == 0 ? 1 : 0]));
  const double towards = small / (std::exp(static_cast<double>(right)) + (classes - 1) * small);
  const double away = (classes - 1) * towards;
  weights_.resize(examples_.weights());
  for (std::size_t j = 0; j < weights_.size(); ++j) {
    const double own = counts[j], others = static_cast<double>(totals[j / classes]) - own;
    weights_[j] = options_.variance * (away * own - towards * others);
  }
  recheck();
}

DualTrainer::DualTrainer(const Examples& examples, const DualOptions& options,
                         std::span<const float> log_alpha, std::span<const double> weights,
                         std::span<const std::uint32_t> active, std::uint64_t passes)
    : examples_(examples),
      options_(options),
      log_alpha_(log_alpha.begin(), log_alpha.end()),
      weights_(weights.begin(), weights.end()),
      active_(active.begin(), active.end()),
      dropped_(examples.size()),
      passes_(passes) {
  const bool ascending =
      std::adjacent_find(active_.begin(), active_.end(), std::greater_equal<>()) == active_.end();
  const auto finite = [](auto value) { return std::isfinite(value); };
  if (log_alpha_.size() != examples_.size() * examples_.class_count ||
      weights_.size() != examples_.weights() || !ascending ||
      (!active_.empty() && active_.back() >= examples_.size()) ||
      !std::all_of(log_alpha_.begin(), log_alpha_.end(), finite) ||
      !std::all_of(weights_.begin(), weights_.end(), finite))
    throw OptionError("a state of training that does not fit the examples");
}

void DualTrainer::recheck() {
  active_.resize(examples_.size());
  std::iota(active_.begin(), active_.end(), 0U);
  dropped_.assign(examples_.size(), 0);
}

template <int K>
DualPass DualTrainer::walk(std::size_t begin, std::size_t end, int part, int parts,
                           double* weights) {
  DualPass done;
  const double step = options_.variance * parts;
  const Random random(options_.seed, hash_combine(passes_, static_cast<std::uint64_t>(part)));
  const auto example_at = [&](std::size_t i) { return active_[begin + i]; };
  const Prefetch<K> prefetch(examples_, log_alpha_.data(), {weights});
  in_random_order(end - begin, example_at, random, prefetch, [&](std::uint32_t example) {
    ++done.visited;
    const auto row = examples_.row(example);
    float* stored = &log_alpha_[static_cast<std::size_t>(example) * K];
    const auto scores = dot<K>(row, weights);
    std::array<double, K> gradient;
    for (int k = 0; k < K; ++k) gradient[k] = static_cast<double>(stored[k]) - scores[k];
    const auto [least, most] = std::minmax_element(gradient.begin(), gradient.end());
    if (*most - *least <= options_.tolerance) {
      dropped_[example] = 1;
      return;
    }
    const Distribution<K> alpha(stored);
    // What is equal for all classes is taken away where α is largest: the rest stays exact.
    const auto top = std::max_element(alpha.p.begin(), alpha.p.end()) - alpha.p.begin();
    const double shift = gradient[top];
    for (double& value : gradient) value -= shift;
    const double curvature = step / 2.0 * static_cast<double>(row.size());
    // With η = 1, α would be what w says now; but w moves with α, the more the longer φ is.
    double rate = options_.rate > 0.0 ? options_.rate : 1.0 / (1.0 + curvature / 2.0);
    for (int trial = 0; trial < options_.trials; ++trial, rate *= 0.5) {
      std::array<double, K> next;
      for (int k = 0; k < K; ++k) next[k] = alpha.log_p[k] - rate * gradient[k];
      std::array<double, K> share;
      const double norm = log_sum<K>(next, share);
      std::array<float, K> rounded;
      for (int k = 0; k < K; ++k) {
        next[k] -= norm;
        rounded[k] = static_cast<float>(next[k]);
      }
      if (is_same<K>(next, stored)) {
        // Optimal as far as floats can tell.
        dropped_[example] = 1;
        return;
      }
      const Distribution<K> moved(rounded.data(), next, share);
      // Eq. 13 in terms that are small near the optimum: KL(α'‖α) + Σ (α' − α) ∇ + curvature.
      double difference = 0.0;
      std::array<double, K> change;
      for (int k = 0; k < K; ++k) {
        const double by = moved.p[k] - alpha.p[k];
        difference +=
            moved.p[k] * (moved.log_p[k] - alpha.log_p[k]) + by * (gradient[k] + curvature * by);
        change[k] = -step * by;
      }
      if (difference > 0.0) continue;
      std::copy(rounded.begin(), rounded.end(), stored);
      add<K>(row, change, weights);
      ++done.changed;
      return;
    }
  });
  return done;
}

DualPass DualTrainer::pass(int threads) {
  threads = engine::resolve_threads(threads);
  const std::size_t size = active_.size();
  // A part has its own copy of all weights: it must be worth that.
  const std::size_t worth = 1 + examples_.feature_count / 16;
  const int parts = static_cast<int>(
      std::min<std::size_t>(static_cast<std::size_t>(options_.parts), 1 + size / worth));
  std::vector<DualPass> done(parts);
  with_classes(examples_.class_count, [&](auto constant) {
    constexpr int K = constant();
    if (parts == 1) {
      done[0] = walk<K>(0, size, 0, 1, weights_.data());
      return;
    }
    std::vector<std::vector<double>> copies(parts);
    engine::parallel_for(parts, threads, [&](std::size_t p) {
      copies[p] = weights_;
      done[p] = walk<K>(size * p / parts, size * (p + 1) / parts, static_cast<int>(p), parts,
                        copies[p].data());
    });
    constexpr std::size_t kBlock = 1 << 14;
    engine::parallel_for((weights_.size() + kBlock - 1) / kBlock, threads, [&](std::size_t b) {
      const std::size_t end = std::min(weights_.size(), (b + 1) * kBlock);
      for (std::size_t j = b * kBlock; j < end; ++j) {
        double change = 0.0;
        for (const auto& copy : copies) change += copy[j] - weights_[j];
        weights_[j] += change / parts;
      }
    });
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i)
    if (dropped_[active_[i]] == 0) active_[kept++] = active_[i];
  active_.resize(kept);
  ++passes_;
  DualPass total;
  for (const DualPass& part : done) {
    total.visited += part.visited;
    total.changed += part.changed;
  }
  return total;
}

double DualTrainer::objective(int threads) const {
  constexpr std::size_t kBlock = 4096;
  std::vector<double> blocks((examples_.size() + kBlock - 1) / kBlock);
  with_classes(examples_.class_count, [&](auto constant) {
    constexpr int K = constant();
    engine::parallel_for(blocks.size(), engine::resolve_threads(threads), [&](std::size_t b) {
      const std::size_t end = std::min(examples_.size(), (b + 1) * kBlock);
      for (std::size_t i = b * kBlock; i < end; ++i)
        blocks[b] += Distribution<K>(&log_alpha_[i * K]).negative_entropy();
    });
  });
  double sum = squared_norm(weights_) / (2.0 * options_.variance);
  for (const double block : blocks) sum += block;
  return sum;
}

}  // namespace tunesmith::reorder
