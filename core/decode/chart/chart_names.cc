#include "decode/chart/chart_names.hh"

#include <algorithm>
#include <utility>

namespace tunesmith::decode {
namespace {

// Collects places as they are met, and finds their names.
class UsedPlaces {
 public:
  explicit UsedPlaces(const ChartGraph& found) : found_(found), is_met_(found.sparse.size()) {}

  void meet(std::uint32_t place) {
    if (is_met_[place]) return;
    is_met_[place] = true;
    used_.places.push_back(place);
  }

  UsedFeatures named(const features::GrammarFeatures& sparse) {
    // The features that a rule was the first to have stand together.
    std::uint32_t of = kNothing;
    std::vector<std::string> names;
    for (const std::uint32_t place : used_.places) {
      const GraphFeature& feature = found_.sparse[place];
      if (feature.rule != of) names = sparse.names(feature.rule);
      of = feature.rule;
      used_.names.push_back(names[feature.place]);
    }
    return std::move(used_);
  }

 private:
  const ChartGraph& found_;
  std::vector<bool> is_met_;
  UsedFeatures used_;
};

// Place → id.
std::vector<std::uint32_t> new_ids(const UsedFeatures& used, StringIndex& names) {
  std::vector<std::uint32_t> ids(
      used.places.empty() ? 0 : *std::ranges::max_element(used.places) + std::size_t{1});
  for (std::size_t i = 0; i < used.places.size(); ++i)
    ids[used.places[i]] = names.add(used.names[i]);
  return ids;
}

}  // namespace

UsedFeatures used_features(const std::vector<Translation>& translations, const ChartGraph& found,
                           const features::GrammarFeatures& sparse) {
  UsedPlaces used(found);
  for (const Translation& one : translations)
    for (const std::uint32_t place : one.features.sparse.ids) used.meet(place);
  return used.named(sparse);
}

UsedFeatures used_features(const graph::Hypergraph& graph, std::uint32_t dense,
                           const ChartGraph& found, const features::GrammarFeatures& sparse) {
  UsedPlaces used(found);
  for (const std::uint32_t id : graph.feature_ids)
    if (id >= dense) used.meet(id - dense);
  return used.named(sparse);
}

void rename(std::vector<Translation>& translations, const UsedFeatures& used, StringIndex& names) {
  const std::vector<std::uint32_t> ids = new_ids(used, names);
  for (Translation& one : translations) {
    for (std::uint32_t& id : one.features.sparse.ids) id = ids[id];
    one.features.sparse.sum_up();
  }
}

void rename(graph::Hypergraph& graph, std::uint32_t dense, const UsedFeatures& used,
            StringIndex& names) {
  const std::vector<std::uint32_t> ids = new_ids(used, names);
  std::vector<std::pair<std::uint32_t, float>> row;
  for (std::size_t edge = 0; edge + 1 < graph.feature_offsets.size(); ++edge) {
    const auto end = static_cast<std::size_t>(graph.feature_offsets[edge + 1]);
    auto begin = static_cast<std::size_t>(graph.feature_offsets[edge]);
    while (begin < end && graph.feature_ids[begin] < dense) ++begin;
    row.clear();
    for (std::size_t i = begin; i < end; ++i)
      row.emplace_back(dense + ids[graph.feature_ids[i] - dense], graph.feature_values[i]);
    std::ranges::sort(row);
    for (const auto& [id, value] : row) {
      graph.feature_ids[begin] = id;
      graph.feature_values[begin++] = value;
    }
  }
}

}  // namespace tunesmith::decode
