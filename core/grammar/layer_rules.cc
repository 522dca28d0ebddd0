#include "grammar/layer_rules.hh"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.hh"
#include "grammar/phrase_table_writer.hh"

namespace tunesmith::grammar {
namespace {

std::uint64_t layer_pair_key(std::span<const std::uint32_t> source,
                             std::span<const std::uint32_t> target) {
  return hash_combine(phrase_key(source), phrase_key(target));
}

std::vector<std::uint32_t> layer_ids(StringIndex& vocabulary,
                                     std::span<const std::string_view> words) {
  std::vector<std::uint32_t> ids;
  for (const std::string_view word : words) ids.push_back(vocabulary.add(word));
  return ids;
}

template <typename T>
std::vector<T> vector_of(std::span<const T> items) {
  return {items.begin(), items.end()};
}

}  // namespace

LayerRules::LayerRules(int scores, int reordering)
    : score_count_(scores), reordering_count_(reordering) {}

LayerRules::LayerRules(const PhraseTable& table, int scores)
    : score_count_(scores),
      reordering_count_(table.reordering_per_rule()),
      source_vocabulary_(table.source_vocabulary()),
      target_vocabulary_(table.target_vocabulary()) {
  if (table.scores_per_rule() != scores + kLayerFeatures)
    throw InputError(table.path(), 0, std::to_string(table.scores_per_rule()) + " scores a rule",
                     std::to_string(scores + kLayerFeatures));
  for (std::uint64_t s = 0; s < table.sources(); ++s) {
    const RuleRange range = table.rules_of(s);
    for (std::uint64_t r = range.begin; r < range.end; ++r) {
      const float* values = table.scores(r);
      const float* layer = values + scores;
      Rule rule{table.key(s),
                vector_of(table.source(s)),
                vector_of(table.target(r)),
                {values, layer},
                {},
                vector_of(table.links(r)),
                table.counts(r)[2],
                layer[kLayerNew] != 0,
                layer[kLayerWhole] != 0};
      if (const float* own = table.reordering(r); own != nullptr)
        rule.reordering.assign(own, own + reordering_count_);
      insert(std::move(rule));
    }
  }
}

void LayerRules::insert(Rule rule) {
  rule_of_pair_.emplace(layer_pair_key(rule.source, rule.target), rules_.size());
  source_counts_[rule.key] += rule.count;
  target_counts_[phrase_key(rule.target)] += rule.count;
  rules_.push_back(std::move(rule));
}

bool LayerRules::add(const LayerPair& pair) {
  if (pair.source.empty()) throw OptionError("an empty source phrase");
  if (static_cast<int>(pair.scores.size()) != score_count_ ||
      static_cast<int>(pair.reordering.size()) != reordering_count_)
    throw OptionError("a phrase pair with another number of scores than its layer");
  const auto source = layer_ids(source_vocabulary_, pair.source);
  const auto target = layer_ids(target_vocabulary_, pair.target);
  const auto found = rule_of_pair_.find(layer_pair_key(source, target));
  if (found == rule_of_pair_.end()) {
    insert({phrase_key(source), source, target, vector_of(pair.scores), vector_of(pair.reordering),
            vector_of(pair.links), 1.0F, pair.is_new, pair.is_whole});
    return true;
  }
  Rule& rule = rules_[found->second];
  rule.count += 1.0F;
  rule.is_whole = rule.is_whole || pair.is_whole;
  source_counts_[rule.key] += 1.0F;
  target_counts_[phrase_key(target)] += 1.0F;
  return false;
}

bool LayerRules::has(std::span<const std::string_view> source,
                     std::span<const std::string_view> target) const {
  std::uint64_t keys[2] = {kEmptyPhrase, kEmptyPhrase};
  const auto extend = [](std::uint64_t& key, const StringIndex& vocabulary,
                         std::span<const std::string_view> words) {
    for (const std::string_view word : words) {
      const std::uint32_t id = vocabulary.find(word);
      if (id == StringIndex::kMissing) return false;
      key = extend_phrase(key, id);
    }
    return true;
  };
  return extend(keys[0], source_vocabulary_, source) &&
         extend(keys[1], target_vocabulary_, target) &&
         rule_of_pair_.contains(hash_combine(keys[0], keys[1]));
}

void LayerRules::write(const std::string& path, std::string_view meta) const {
  std::vector<std::uint64_t> order(rules_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return rules_[a].key < rules_[b].key; });
  PhraseTableWriter writer(path, score_count_ + kLayerFeatures, reordering_count_);
  std::vector<float> scores;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Rule& rule = rules_[order[i]];
    if (i == 0 || rule.key != rules_[order[i - 1]].key) writer.add_source(rule.key, rule.source);
    const float seen = source_counts_.at(rule.key);
    float layer[kLayerFeatures] = {};
    layer[kLayerPair] = 1.0F;
    layer[kLayerNew] = rule.is_new ? 1.0F : 0.0F;
    layer[kLayerWords] = static_cast<float>(rule.source.size());
    layer[kLayerShare] = std::log(rule.count / seen);
    layer[kLayerTimes] = std::log(rule.count);
    layer[kLayerWhole] = rule.is_whole ? 1.0F : 0.0F;
    scores = rule.scores;
    scores.insert(scores.end(), std::begin(layer), std::end(layer));
    RuleData data;
    data.target = rule.target;
    data.scores = scores;
    data.links = rule.links;
    data.counts[0] = target_counts_.at(phrase_key(rule.target));
    data.counts[1] = seen;
    data.counts[2] = rule.count;
    data.reordering = rule.reordering;
    writer.add_rule(data);
  }
  writer.finish(source_vocabulary_, target_vocabulary_, meta);
}

}  // namespace tunesmith::grammar
