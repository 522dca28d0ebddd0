// Moses' text phrase tables and reordering tables, made into ours.
//
//   source ||| target ||| scores ||| links ||| counts
//   source ||| target ||| reordering scores
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/string_index.hh"

namespace tunesmith::grammar {

class MosesTableImporter {
 public:
  // `scores_per_rule` as moses.ini says (num-features).
  MosesTableImporter(int scores_per_rule, int reordering_per_rule);

  // Whole lines of a table, beginning with line `first_line` of `path`.
  void add_phrases(std::string_view lines, const std::string& path, std::uint64_t first_line);
  // After all phrases. Rules without a line of their own keep reordering scores of 0.
  void add_reordering(std::string_view lines, const std::string& path, std::uint64_t first_line);
  void write(const std::string& path, std::string_view meta) const;

  std::uint64_t rules() const { return keys_.size(); }

 private:
  std::vector<std::uint32_t> ids(StringIndex& vocabulary, std::string_view words);

  std::uint32_t score_count_, reordering_count_;
  StringIndex source_vocabulary_, target_vocabulary_;
  std::vector<std::uint64_t> keys_;  // of the source phrases, rule by rule
  std::vector<std::uint64_t> source_ends_, target_ends_, link_ends_;
  std::vector<std::uint32_t> source_words_, target_words_;
  std::vector<std::uint16_t> links_;
  std::vector<float> scores_, counts_, reordering_;
  std::unordered_map<std::uint64_t, std::uint64_t> rule_of_pair_;
};

}  // namespace tunesmith::grammar
