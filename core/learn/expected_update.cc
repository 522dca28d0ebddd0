#include "learn/expected_update.hh"

#include <algorithm>
#include <cmath>

#include "metrics/gain.hh"

namespace tunesmith::learn {
namespace {

double gain_of(std::vector<double> stats, const ExpectedOptions& options) {
  if (options.background.empty())
    return metrics::BleuGain(4, metrics::BleuSmoothing::kAddK, 1.0)(stats.data());
  for (std::size_t i = 0; i < stats.size(); ++i) stats[i] += options.background[i];
  return (options.background_sentences + 1.0) * metrics::BleuGain(4)(stats.data());
}

}  // namespace

void expected_update(ViolationUpdate& update, const decode::PhraseModel& model,
                     std::span<const double> weights, const ViolationOptions& options,
                     std::span<const std::string> target, const decode::SearchGraph& graph,
                     const BeamFeatures& features) {
  const auto list = beam_list(model, graph, target, options.list_size);
  if (list.empty()) return;
  const std::size_t size = list.size();
  std::vector<std::vector<double>> dense(size, std::vector<double>(model.features(), 0.0));
  std::vector<double> gains(size), shares(size);
  for (std::size_t k = 0; k < size; ++k) {
    features.add_dense(list[k].edges, dense[k].data());
    gains[k] = gain_of(list[k].stats, options.expected);
    for (std::size_t i = 0; i < dense[k].size(); ++i)
      shares[k] += options.expected.sharpness * weights[i] * dense[k][i];
  }
  const double top = *std::max_element(shares.begin(), shares.end());
  double total = 0.0, mean = 0.0;
  for (double& share : shares) total += share = std::exp(share - top);
  for (std::size_t k = 0; k < size; ++k) mean += (shares[k] /= total) * gains[k];

  const auto [least, most] = std::minmax_element(gains.begin(), gains.end());
  update.stats = list[0].stats;
  update.violation = *most - mean;
  update.outcome = *least < *most ? UpdateOutcome::kUpdated : UpdateOutcome::kSolved;
  if (update.outcome == UpdateOutcome::kSolved) return;
  update.bin = update.words;
  for (std::size_t k = 0; k < size; ++k) shares[k] *= gains[k] - mean;
  update.dense.assign(model.features(), 0.0);
  for (std::size_t k = 0; k < size; ++k)
    for (std::size_t i = 0; i < update.dense.size(); ++i)
      update.dense[i] += shares[k] * dense[k][i];
  // What lexical features are worth together is no feature to learn.
  if (model.lexical() != nullptr) update.dense[model.lexical_index()] = 0.0;
  update.sparse = features.lexical_sum(list, shares);
}

}  // namespace tunesmith::learn
