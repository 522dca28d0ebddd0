#include "learn/ranking_update.hh"

#include <unordered_map>

#include "learn/ranking.hh"
#include "metrics/gain.hh"

namespace tunesmith::learn {

void ranking_update(ViolationUpdate& update, const decode::PhraseModel& model,
                    std::span<const double> weights, const ViolationOptions& options,
                    std::span<const std::string> target, const decode::SearchGraph& graph,
                    const BeamFeatures& features) {
  const auto list = beam_list(model, graph, target, options.list_size);
  if (list.empty()) return;
  const std::size_t size = list.size();
  const auto dense = static_cast<std::uint32_t>(model.features());
  std::vector<double> local(weights.begin(), weights.begin() + dense);
  std::vector<double> rates = options.dense_steps;
  if (model.lexical() != nullptr) local[model.lexical_index()] = rates[model.lexical_index()] = 0.0;
  std::vector<std::vector<double>> values(size, std::vector<double>(dense, 0.0));
  std::vector<double> gains(size), constant(size, 0.0);
  std::unordered_map<std::uint64_t, std::uint32_t> columns;
  std::vector<std::uint64_t> keys;
  SparseVector named;
  FeatureRows rows;
  for (std::size_t k = 0; k < size; ++k) {
    gains[k] = metrics::InterpolatedBleuGain()(list[k].stats.data());
    keys.clear();
    named.clear();
    features.add(list[k].edges, values[k].data(), keys, named);
    constant[k] = named.row().dot(weights.data() + dense);
    for (std::uint32_t i = 0; i < dense; ++i) rows.add(i, values[k][i]);
    for (const std::uint64_t key : keys) {
      const auto [place, is_new] =
          columns.try_emplace(key, static_cast<std::uint32_t>(local.size()));
      if (is_new) {
        local.push_back(model.lexical()->model().weights().weight(key));
        rates.push_back(options.lexical_step);
      }
      rows.add(place->second, 1.0);
    }
    rows.end_row();
  }
  const RankingUpdate ranked = rank_pairs(rows, gains, constant, rates, options.ranking, local);
  update.stats = list[0].stats;
  update.outcome = ranked.mended > 0 ? UpdateOutcome::kUpdated : UpdateOutcome::kSolved;
  if (ranked.mended == 0) return;
  update.violation = static_cast<double>(ranked.mended) / static_cast<double>(ranked.pairs);
  update.bin = update.words;
  update.dense.assign(dense, 0.0);
  for (std::size_t k = 0; k < size; ++k)
    for (std::uint32_t i = 0; i < dense; ++i)
      update.dense[i] += ranked.coefficients[k] * values[k][i];
  if (model.lexical() != nullptr) update.dense[model.lexical_index()] = 0.0;
  update.sparse = features.lexical_sum(list, ranked.coefficients);
}

}  // namespace tunesmith::learn
