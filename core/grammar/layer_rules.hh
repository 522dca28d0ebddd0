// Phrase pairs of corrections, counted, and the table of them: a layer on top of a model.
//
// A rule has the scores that the model's tables have or would have for it, then those of the layer:
// kLayerFeatures of them, in the order of LayerFeature.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_index.hh"
#include "grammar/phrase_table.hh"

namespace tunesmith::grammar {

enum LayerFeature {
  kLayerPair,   // 1
  kLayerNew,    // 1 where no table of the model has the pair
  kLayerWords,  // source words
  kLayerShare,  // ln of the pair's part of what the source phrase became
  kLayerTimes,  // ln of how often the pair was seen
  kLayerWhole,  // 1 where it is a corrected sentence as a whole
  kLayerFeatures
};

constexpr std::array<std::string_view, kLayerFeatures> kLayerNames = {"pair",  "new",   "words",
                                                                      "share", "times", "whole"};

// A phrase pair as it is met; what the model says of it counts when it is met for the first time.
struct LayerPair {
  std::span<const std::string_view> source, target;
  std::span<const float> scores, reordering;  // natural logarithms
  std::span<const std::uint16_t> links;
  bool is_new = false, is_whole = false;
};

class LayerRules {
 public:
  // So many scores of the model's tables, and of the reordering model.
  LayerRules(int scores, int reordering);
  // Goes on where the writer of a table was; it has such rules.
  LayerRules(const PhraseTable& table, int scores);

  // Whether the pair is met for the first time.
  bool add(const LayerPair& pair);
  bool has(std::span<const std::string_view> source,
           std::span<const std::string_view> target) const;
  std::uint64_t rules() const { return rules_.size(); }
  void write(const std::string& path, std::string_view meta) const;

 private:
  struct Rule {
    std::uint64_t key = 0;  // of the source
    std::vector<std::uint32_t> source, target;
    std::vector<float> scores, reordering;
    std::vector<std::uint16_t> links;
    float count = 0;
    bool is_new = false, is_whole = false;
  };

  void insert(Rule rule);

  int score_count_, reordering_count_;
  StringIndex source_vocabulary_, target_vocabulary_;
  std::vector<Rule> rules_;
  std::unordered_map<std::uint64_t, std::uint64_t> rule_of_pair_;
  std::unordered_map<std::uint64_t, float> source_counts_, target_counts_;
};

}  // namespace tunesmith::grammar
